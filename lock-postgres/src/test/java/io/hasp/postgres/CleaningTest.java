package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Unused rows are removed in small steps, and tables stay small however often a lock is taken. */
class CleaningTest {
    private final PostgresServer server = PostgresServer.start();
    private final TestBackend client = TestBackend.on(server);
    private final PostgresFaults faults = new PostgresFaults(server);

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private Claim claim(String name, String holder) {
        return Claim.renewedLease(new LockName(name), new HolderId(holder), Duration.ofSeconds(30), true);
    }

    /** As if two minutes had passed. */
    private void age() {
        server.run("update hasp_lock set last_token = last_token - 120000000");
        server.run("update hasp_holder set expires = expires - interval '2 minutes' where holder = ''");
        server.run("update hasp_tombstone set until = until - interval '2 minutes'");
    }

    private long clean() {
        return server.run("select length(hasp_clean('', 100))");
    }

    @Test
    void unused_names_are_removed_and_used_ones_stay() throws Exception {
        for (int i = 0; i < 20; i++) {
            Claim claim = claim("name" + i, "h" + i);
            client.granted(claim);
            TestBackend.answer(client.backend().release(claim));
        }
        client.granted(claim("held", "a"));
        TestBackend.answer(client.backend().tokenFloor().orElseThrow().raise(new LockName("floor"), 1L << 54));
        TestBackend.answer(client.backend().release(claim("name0", "unknown")));
        clean();
        assertThat(server.run("select count(*) from hasp_lock")).isEqualTo(22);

        age();
        try (Connection checked = server.connect()) {
            checked.setAutoCommit(false);
            try (java.sql.Statement statement = checked.createStatement()) {
                statement.execute("select * from hasp_fence where name = 'name7' for share");
            }
            clean();
            assertThat(server.run("select count(*) from hasp_lock where name in ('held', 'floor', 'name7')"))
                    .isEqualTo(3);
            assertThat(server.run("select count(*) from hasp_lock")).isEqualTo(3);
            // The server ends the transaction of a closed connection later.
            checked.rollback();
        }
        clean();
        assertThat(server.run("select count(*) from hasp_lock")).isEqualTo(2);
        assertThat(server.run("select count(*) from hasp_holder")).isEqualTo(1);
        assertThat(server.run("select count(*) from hasp_fence")).isEqualTo(1);
        assertThat(server.run("select count(*) from hasp_tombstone")).isZero();
    }

    @Test
    void a_client_removes_what_others_left_while_it_works() {
        for (int i = 0; i < 50; i++) {
            server.run("insert into hasp_lock values ('old" + i + "', 1, 1, '')");
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            for (int i = 0; i < 70; i++) {
                Claim claim = claim("busy", "h" + System.nanoTime());
                client.granted(claim);
                TestBackend.answer(client.backend().release(claim));
            }
            return faults.kept() <= 4;
        });
    }

    /** In the full tier a million cycles. */
    @Test
    @Timeout(3600)
    @InTier(Tier.STANDARD)
    void many_cycles_leave_the_tables_small() {
        int cycles = Tier.count(20_000, 1_000_000);
        server.run("alter system set synchronous_commit = off");
        server.run("select pg_reload_conf()::int");
        server.run("do $$ begin for i in 1.." + cycles + " loop"
                + " perform hasp_acquire('one', 'h' || i, 30000, true, '', '', 1, 1, false, null);"
                + " perform hasp_release('one', 'h' || i, false);"
                + " commit; end loop; end $$");
        for (String table : new String[] {"hasp_lock", "hasp_holder", "hasp_fence", "hasp_waiter"}) {
            long size = server.run("select pg_total_relation_size('" + table + "')");
            System.err.println(size + " bytes of " + table + " after " + cycles + " cycles");
            assertThat(size)
                    .as("bytes of " + table + " after " + cycles + " cycles")
                    .isLessThan(1_000_000);
        }
    }

    @Test
    void a_slot_of_a_holder_is_used_again() {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 3; i++) {
                client.granted(claim("shared", "h" + round + "-" + i).withShare(new Share(1, 3)));
            }
            for (int i = 0; i < 3; i++) {
                TestBackend.answer(client.backend()
                        .release(claim("shared", "h" + round + "-" + i).withShare(new Share(1, 3))));
            }
        }
        assertThat(server.run("select count(*) from hasp_holder")).isEqualTo(3);
    }
}
