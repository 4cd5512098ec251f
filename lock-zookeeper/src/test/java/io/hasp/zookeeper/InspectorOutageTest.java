package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.Inspector;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An operator's look at servers that fail. */
@InTier(Tier.STANDARD)
class InspectorOutageTest {
    private static final String LOCK = "outage";
    private static final int ROUNDS = 50;

    private static void fails(Probe probe, Inspector.Holder holder) {
        unavailable(() -> probe.list("", ""));
        unavailable(() -> probe.find(LOCK));
        unavailable(() -> probe.remove(LOCK, holder));
    }

    private static void unavailable(Runnable call) {
        assertThatExceptionOfType(BackendFailure.class)
                .isThrownBy(call::run)
                .satisfies(failure -> assertThat(failure.kind()).isEqualTo(BackendFailure.Kind.UNAVAILABLE));
    }

    @Test
    void a_server_that_is_silent_or_down_is_a_failure_and_never_a_lock_that_is_free() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Probe probe = Probe.connect(
                        "zookeeper://" + server.connectString() + "?sessionTimeout=30s&commandTimeout=1s")) {
            probe.holder(LOCK).granted();
            Inspector.Holder holder = probe.find(LOCK).holders().get(0);

            server.pause();
            fails(probe, holder);
            server.resume();
            server.kill();
            fails(probe, holder);
        }
    }

    @Test
    void a_look_through_a_follower_shows_what_was_acquired_before_through_another_server() {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            String session = "?sessionTimeout=40s";
            try (Probe app = Probe.connect("zookeeper://" + ensemble.leader().connectString() + session);
                    Probe operator =
                            Probe.connect("zookeeper://" + ensemble.follower().connectString() + session)) {
                for (int i = 0; i < ROUNDS; i++) {
                    Probe.Holder holder = app.holder(LOCK);
                    Grant grant = holder.granted();
                    assertThat(operator.find(LOCK).holders())
                            .map(Inspector.Holder::token)
                            .containsExactly(grant.token());
                    if (i % 2 == 0) {
                        holder.release();
                    } else {
                        assertThat(operator.remove(
                                        LOCK, operator.find(LOCK).holders().get(0)))
                                .isTrue();
                        holder.release();
                    }
                }
                app.holder(LOCK).granted();
                Inspector.Holder last = operator.find(LOCK).holders().get(0);
                ensemble.leader().kill();
                ensemble.awaitServing();
                isStillThere(operator, last);
            }
        }
    }

    private static void isStillThere(Probe operator, Inspector.Holder holder) {
        await().atMost(Duration.ofSeconds(40))
                .ignoreException(BackendFailure.class)
                .untilAsserted(() -> assertThat(operator.find(LOCK).holders()).containsExactly(holder));
    }
}
