package io.hasp.evaluation.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.evaluation.measure.ServerCounters;
import io.hasp.evaluation.subject.Subject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The baselines do a known number of things. */
@InTier(Tier.STANDARD)
class CountersTest {
    private static final int CYCLES = 100;

    @ParameterizedTest
    @EnumSource(
            value = Subject.class,
            names = {"BASELINE_REDIS", "BASELINE_REDIS_LETTUCE", "BASELINE_REDIS_REDISSON"})
    void redis_counts_scripts_and_the_commands_within_but_not_the_question(Subject baseline) throws Exception {
        try (RedisServer server = RedisServer.start();
                LockUser user = baseline.in(new Environment(server.uri(), "", "", ClientProfile.USUAL))
                        .open()) {
            ServerCounters counters = RedisCounters.of(List.of(server));
            double before = counters.commands();
            assertThat(counters.commands()).isEqualTo(before);

            double cpu = counters.cpuNanos();
            double bytes = counters.trafficBytes();
            counters.commands();
            assertThat(counters.trafficBytes() - bytes)
                    .as("without the questions and answers")
                    .isLessThan(1_000);
            cycle(user);
            assertThat(counters.trafficBytes() - bytes).isBetween(50.0 * CYCLES, 2_000.0 * CYCLES);

            // A script with SET, a script with GET and DEL.
            assertThat(counters.commands() - before).isEqualTo(5 * CYCLES);
            assertThat(counters.cpuNanos()).isGreaterThan(cpu);
        }
    }

    @Test
    void zookeeper_counts_packets_but_not_the_question() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                LockUser user = Subject.BASELINE_ZOOKEEPER
                        .in(new Environment(
                                "", "", "zookeeper://" + ensemble.connectString() + "/baseline", ClientProfile.USUAL))
                        .open()) {
            ServerCounters counters = new ZooKeeperCounters(ensemble);
            double before = counters.commands();
            assertThat(counters.commands()).isEqualTo(before);

            double cpu = counters.cpuNanos();
            double bytes = counters.trafficBytes();
            double disk = counters.diskBytes();
            cycle(user);
            assertThat(counters.trafficBytes() - bytes).isBetween(50.0 * CYCLES, 2_000.0 * CYCLES);

            // Create and delete; the client may ping now and then.
            assertThat(counters.commands() - before).isBetween(2.0 * CYCLES, 2.0 * CYCLES + 10);
            assertThat(counters.total().diskBytes()).as("on Linux").isGreaterThanOrEqualTo(disk);
            assertThat(counters.cpuNanos()).isGreaterThanOrEqualTo(cpu);
        }
    }

    @Test
    void postgres_has_processor_time_also_of_processes_that_have_ended() throws Exception {
        try (StartedPostgres started = StartedPostgres.start()) {
            ServerCounters counters = PostgresCounters.of(started);
            double before = counters.cpuNanos();
            double log = counters.diskBytes();
            double during;
            try (LockUser user = Subject.BASELINE_POSTGRES
                    .in(new Environment("", "", "", StartedPostgres.uri(started.address()), ClientProfile.USUAL, ""))
                    .open()) {
                cycle(user);
                during = counters.cpuNanos();
            }
            while (started.server().run("select count(*) from pg_stat_activity where backend_type = 'client backend'")
                    > 1) {
                Thread.onSpinWait();
            }

            assertThat(during).isGreaterThan(before + 1_000_000);
            assertThat(counters.cpuNanos()).isGreaterThanOrEqualTo(during);
            assertThat(counters.diskBytes()).isGreaterThan(log + 50.0 * CYCLES);
        }
    }

    /** A busy machine may keep a server from answering for a moment. That must not end a comparison of ten minutes. */
    @Test
    void zookeeper_that_does_not_answer_has_no_figures() throws Exception {
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start()) {
            ServerCounters counters = new ZooKeeperCounters(ensemble);
            ensemble.servers().get(0).pause();
            assertThat(counters.total().commands()).isNaN();
            assertThat(counters.bytes()).isNaN();

            ensemble.servers().get(0).resume();
            assertThat(counters.total().commands()).isNotNegative();
        }
    }

    private static void cycle(LockUser user) throws Exception {
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            user.tryAcquire("counted", Duration.ZERO).orElseThrow().release();
        }
    }
}
