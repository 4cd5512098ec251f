package io.hasp.examples.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.examples.Printed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of two candidates writes, and the store refuses a former leader. */
@Timeout(60)
class LeaderTest {

    @Test
    void the_other_candidate_writes_when_the_leader_resigns() throws Exception {
        Leader.Reports reports = new Leader.Reports();
        try (RedisServer redis = RedisServer.start();
                LockClient one = LockClient.connect(redis.uri());
                LockClient two = LockClient.connect(redis.uri());
                Printed printed = Printed.fromNow();
                LeaderElection first = Leader.start(one, reports)) {
            await().until(() -> printed.text().contains("report 1, with token"));
            long token = first.term().orElseThrow().fencingToken();
            try (LeaderElection second = Leader.start(two, reports)) {
                first.close();
                await().until(second::isLeader);
                long next = second.term().orElseThrow().fencingToken();
                await().until(() -> printed.text().contains("with token " + next));
                assertThatThrownBy(() -> reports.write(token)).hasMessageContaining("refused: token " + token);
                assertThat(next).isGreaterThan(token);
            }
        }
    }
}
