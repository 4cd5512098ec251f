package io.hasp.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Backend;
import io.hasp.evaluation.servers.Distance;
import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.statistics.Pairing;
import io.hasp.evaluation.subject.Participant;
import io.hasp.evaluation.subject.Subject;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class PlanTest {
    private static final Experiment STICKY = Experiments.of("sticky");
    private static final List<String> REUSE =
            List.of("sticky", "ping-pong", "alternating", "foreign-1", "foreign-10", "foreign-50", "recall");

    @Test
    void a_usual_comparison_is_as_long_as_it_was() {
        assertThat(experiments(plan(ComparisonTier.QUICK, null, null)))
                .containsExactly("uncontended", "distinct", "contended");
        assertThat(experiments(plan(ComparisonTier.USUAL, null, null)))
                .containsExactly("uncontended", "distinct", "contended", "handoff", "read-mostly", "permits");
        for (ComparisonTier tier : List.of(ComparisonTier.QUICK, ComparisonTier.USUAL)) {
            assertThat(plan(tier, null, null).subjects()).noneMatch(Participant::keeps);
        }
    }

    @Test
    void a_usual_comparison_asks_some_locks_only_what_the_picture_shows() {
        Plan usual = plan(ComparisonTier.USUAL, null, null);
        Plan named = plan(ComparisonTier.USUAL, null, List.of(Subject.SPRING_REDIS));

        assertThat(usual.subjects()).contains(Subject.HASP_REDLOCK, Subject.SPRING_REDIS, Subject.REDISSON_FENCEDLOCK);
        assertThat(usual.does(Subject.SPRING_REDIS))
                .accepts(Experiments.UNCONTENDED)
                .rejects(Experiments.DISTINCT, Experiments.CONTENDED);
        assertThat(named.does(Subject.SPRING_REDIS)).accepts(Experiments.UNCONTENDED, Experiments.CONTENDED);
        assertThat(plan(ComparisonTier.FULL, null, null).does(Subject.SPRING_REDIS))
                .accepts(Experiments.UNCONTENDED, Experiments.CONTENDED);
        assertThat(plan(ComparisonTier.USUAL, List.of(Experiments.CONTENDED), null)
                        .subjects())
                .doesNotContain(Subject.SPRING_REDIS);
    }

    @Test
    void a_usual_comparison_and_its_curves_have_locks_on_each_kind_of_servers() {
        for (ComparisonTier tier : List.of(ComparisonTier.USUAL, ComparisonTier.CURVES)) {
            Plan plan = plan(tier, null, null);
            assertThat(plan.services()).contains(Service.REDIS, Service.ZOOKEEPER, Service.POSTGRES);
            assertThat(plan.subjects()).contains(Subject.HASP_POSTGRES, Subject.SPRING_JDBC, Subject.BASELINE_POSTGRES);
        }
        Plan usual = plan(ComparisonTier.USUAL, null, null);
        assertThat(usual.does(Subject.HASP_POSTGRES))
                .accepts(Experiments.UNCONTENDED, Experiments.DISTINCT, Experiments.CONTENDED, Experiments.HANDOFF)
                .rejects(Experiments.PERMITS, Experiments.READ_MOSTLY);
        assertThat(usual.does(Subject.SPRING_JDBC))
                .accepts(Experiments.CONTENDED, Experiments.HANDOFF)
                .rejects(Experiments.HELD);
        assertThat(usual.does(Subject.BASELINE_POSTGRES))
                .accepts(Experiments.UNCONTENDED, Experiments.DISTINCT)
                .rejects(Experiments.CONTENDED, Experiments.HELD);
    }

    @Test
    void a_quick_comparison_measures_postgres_for_the_answer_only() {
        Plan quick = plan(ComparisonTier.QUICK, null, null);
        Plan alone = Plan.of(
                ComparisonTier.QUICK,
                null,
                null,
                List.of(),
                List.of(Backend.of("postgresql://h/d")),
                RedisTopology.STANDALONE,
                List.of(),
                PlanTest::wrong);

        assertThat(quick.does(Subject.HASP_POSTGRES))
                .accepts(Experiments.UNCONTENDED)
                .rejects(Experiments.DISTINCT, Experiments.CONTENDED);
        assertThat(quick.does(Subject.HASP_REDIS_JEDIS)).accepts(Experiments.CONTENDED);
        assertThat(alone.does(Subject.HASP_POSTGRES))
                .as("on a service without other locks")
                .accepts(Experiments.DISTINCT, Experiments.CONTENDED);
    }

    @Test
    void where_no_postgres_can_be_started_the_other_locks_are_measured_and_the_reason_is_told() {
        Plan usual = plan(ComparisonTier.USUAL, null, null).without(Service.POSTGRES, "Exec format error");

        assertThat(usual.subjects())
                .contains(Subject.HASP_REDIS_JEDIS, Subject.HASP_ZOOKEEPER)
                .doesNotContain(Subject.HASP_POSTGRES, Subject.SPRING_JDBC);
        assertThat(usual.leftOut())
                .hasValueSatisfying(words -> assertThat(words)
                        .startsWith("Left out: hasp-postgres, spring-jdbc, baseline-postgres: no PostgreSQL")
                        .endsWith("can be started here: Exec format error"));
    }

    @Test
    void a_lock_does_what_its_figures_are_compared_for() {
        Plan usual = plan(ComparisonTier.USUAL, null, null);

        assertThat(usual.does(Subject.BASELINE_REDIS))
                .accepts(Experiments.UNCONTENDED, Experiments.DISTINCT)
                .rejects(Experiments.CONTENDED, Experiments.HANDOFF);
        assertThat(usual.does(Subject.CURATOR_MUTEX_PER_THREAD))
                .accepts(Experiments.CONTENDED, Experiments.TAKEOVER, Experiments.ELECTION)
                .rejects(Experiments.HANDOFF, Experiments.UNCONTENDED, Experiments.DISTINCT);
        assertThat(usual.does(Subject.REDISSON_FAIRLOCK))
                .accepts(Experiments.UNCONTENDED, Experiments.CONTENDED, Experiments.HANDOFF)
                .rejects(Experiments.DISTINCT, Experiments.READ_MOSTLY, Experiments.HELD);
        assertThat(plan(ComparisonTier.USUAL, null, List.of(Subject.BASELINE_REDIS))
                        .does(Subject.BASELINE_REDIS))
                .accepts(Experiments.CONTENDED);
    }

    @Test
    void a_lock_that_can_not_wait_takes_part_only_where_nobody_has_to() {
        Plan full = plan(ComparisonTier.FULL, null, null);

        assertThat(full.does(Subject.SHEDLOCK_REDIS))
                .accepts(Experiments.UNCONTENDED, Experiments.DISTINCT, STICKY)
                .rejects(
                        Experiments.CONTENDED,
                        Experiments.HANDOFF,
                        Experiments.TAKEOVER,
                        Experiments.of("alternating"));
    }

    @Test
    void on_a_cluster_each_lock_that_is_left_out_has_a_reason() {
        Plan cluster = Plan.of(
                ComparisonTier.FULL,
                null,
                null,
                List.of(),
                List.of(),
                RedisTopology.CLUSTER,
                List.of(),
                PlanTest::wrong);

        assertThat(cluster.subjects()).contains(Subject.HASP_REDIS_JEDIS, Subject.REDISSON_RLOCK, Subject.SPRING_REDIS);
        assertThat(experiments(cluster)).doesNotContain("failover").contains("stopped");
        assertThat(cluster.leftOut().orElseThrow().lines())
                .hasSize(Subject.values().length - cluster.subjects().size())
                .contains("Left out: hasp-zookeeper: it takes ZooKeeper (3 servers)");
    }

    @Test
    void a_full_comparison_has_all_experiments_and_locks() {
        Plan full = plan(ComparisonTier.FULL, null, null);

        assertThat(experiments(full)).containsAll(REUSE);
        assertThat(Experiments.ALL)
                .allSatisfy(each -> assertThat(experiments(full).contains(each.name()))
                        .as(each.name())
                        .isEqualTo(each == Experiments.HELD || !each.belongsTo(ComparisonTier.CURVES)));
        assertThat(full.subjects()).containsExactly(Subject.values());
        assertThat(full.processes()).isEqualTo(8);
    }

    @Test
    void curves_replace_the_usual_experiments_and_held_locks_come_before_what_leaves_much_behind() {
        Plan curves = plan(ComparisonTier.CURVES, null, null);

        assertThat(experiments(curves)).containsExactly("held", "waiters", "names", "fresh", "holds", "rate");
        assertThat(curves.workloads()).allMatch(Workload::isPoint);
        assertThat(curves.subjects())
                .isEqualTo(Subject.usual(ComparisonTier.USUAL).toList());
    }

    @Test
    void held_locks_are_few_unless_the_user_wants_more() {
        assertThat(locks(plan(ComparisonTier.USUAL, List.of(Experiments.HELD), null)))
                .containsExactly(1_000);
        assertThat(locks(plan(ComparisonTier.FULL, List.of(Experiments.HELD), null)))
                .containsExactly(100_000);
        for (ComparisonTier tier : ComparisonTier.values()) {
            assertThat(locks(plan(tier, List.of(Experiments.HELD), null).holding(70, PlanTest::wrong)))
                    .as(tier.name())
                    .containsExactly(70);
        }
        assertThat(plan(ComparisonTier.USUAL, List.of(Experiments.HELD), null).does(Subject.BASELINE_REDIS))
                .as("its locks end with their lease")
                .rejects(Experiments.HELD)
                .accepts(Experiments.UNCONTENDED);
    }

    @Test
    void names_of_their_own_are_taken_by_few_threads_and_by_many() {
        assertThat(plan(ComparisonTier.USUAL, List.of(Experiments.DISTINCT), null)
                        .workloads())
                .extracting(Workload::threads)
                .containsExactly(16);
        assertThat(plan(ComparisonTier.FULL, List.of(Experiments.DISTINCT), null)
                        .workloads())
                .extracting(Workload::threads)
                .containsExactly(4, 8, 16, 64);
        assertThat(plan(ComparisonTier.USUAL, List.of(Experiments.of("fresh")), null)
                        .workloads())
                .allMatch(work -> !work.isPoint())
                .extracting(Workload::threads)
                .containsExactly(1, 16);
    }

    @Test
    void locks_that_are_kept_take_part_in_experiments_about_reuse_only_unless_they_are_named() {
        Plan unnamed = plan(ComparisonTier.USUAL, List.of(STICKY, Experiments.CONTENDED), null);
        Plan named = plan(ComparisonTier.USUAL, List.of(Experiments.CONTENDED), List.of(Subject.HASP_REDIS_KEPT));

        assertThat(unnamed.subjects())
                .contains(Subject.HASP_REDIS_KEPT, Subject.HASP_ZOOKEEPER_KEPT, Subject.REDISSON_RLOCK);
        assertThat(unnamed.does(Subject.HASP_REDIS_KEPT)).accepts(STICKY).rejects(Experiments.CONTENDED);
        assertThat(unnamed.does(Subject.REDISSON_RLOCK)).accepts(STICKY, Experiments.CONTENDED);
        assertThat(plan(ComparisonTier.FULL, List.of(Experiments.CONTENDED), null)
                        .subjects())
                .contains(Subject.SHEDLOCK_REDIS)
                .noneMatch(Participant::keeps);
        assertThat(named.subjects()).containsExactly(Subject.HASP_REDIS_KEPT);
        assertThat(named.does(Subject.HASP_REDIS_KEPT)).accepts(Experiments.CONTENDED);
    }

    @Test
    void a_lock_that_is_kept_is_compared_with_the_same_one_that_is_not_and_with_the_peers() {
        try (Servers none = Servers.start(EnumSet.noneOf(Service.class), RedisTopology.STANDALONE, Distance.NONE)) {
            ServiceGroup redis = plan(ComparisonTier.QUICK, List.of(STICKY), null)
                    .groups(none)
                    .get(0);

            assertThat(redis.references("hasp-redis-kept"))
                    .containsExactly("hasp-redis-jedis", "redisson-rlock", "baseline-redis");
            assertThat(redis.references("hasp-redis-jedis")).containsExactly("redisson-rlock", "baseline-redis");
            assertThat(redis.references("redisson-rlock")).containsExactly("baseline-redis");
            assertThat(redis.pairings())
                    .contains(new Pairing("hasp-redis-kept", "hasp-redis-jedis"))
                    .contains(new Pairing("baseline-redis", "redisson-rlock"));
        }
    }

    @Test
    void a_lock_on_another_client_is_compared_with_the_least_work_through_that_client() {
        try (Servers none = Servers.start(EnumSet.noneOf(Service.class), RedisTopology.STANDALONE, Distance.NONE)) {
            ServiceGroup redis = plan(ComparisonTier.FULL, List.of(Experiments.CONTENDED), null)
                    .groups(none)
                    .get(0);

            assertThat(redis.references("hasp-redis-lettuce"))
                    .contains("redisson-rlock", "redisson-fairlock", "spring-redis")
                    .doesNotContain("baseline-redis")
                    .endsWith("baseline-redis-lettuce");
            assertThat(redis.references("hasp-redis-redisson")).endsWith("baseline-redis-redisson");
            assertThat(redis.references("hasp-redis-jedis")).endsWith("shedlock-redis", "baseline-redis");
            assertThat(redis.references("baseline-redis-lettuce")).endsWith("shedlock-redis", "baseline-redis");
        }
    }

    @Test
    void experiments_of_two_processes_get_two() {
        for (String experiment : REUSE) {
            int processes = plan(ComparisonTier.USUAL, List.of(Experiments.of(experiment)), null)
                    .processes();
            assertThat(processes).as(experiment).isEqualTo(experiment.equals("sticky") ? 0 : 2);
        }
        assertThat(plan(ComparisonTier.USUAL, List.of(Experiments.TAKEOVER), null)
                        .processes())
                .as("trials have their own")
                .isZero();
    }

    @Test
    void distant_servers_are_not_broken() {
        Plan far = Plan.of(
                ComparisonTier.FULL,
                null,
                null,
                List.of(),
                List.of(),
                RedisTopology.STANDALONE,
                List.of(Distance.ofRoundTrip(1)),
                PlanTest::wrong);

        assertThat(experiments(far)).doesNotContain("failover", "stopped").contains("takeover", "sticky");
        assertThat(far.leftOut()).hasValueSatisfying(words -> assertThat(words).contains("failover, stopped"));
        assertThat(plan(ComparisonTier.FULL, null, null).leftOut()).isEmpty();
    }

    @Test
    void sizes_are_told_apart_at_a_distance_too() {
        Plan far = Plan.of(
                ComparisonTier.FULL,
                List.of(Experiments.ALL_OF),
                null,
                List.of(),
                List.of(),
                RedisTopology.STANDALONE,
                List.of(Distance.ofRoundTrip(0.6)),
                PlanTest::wrong);

        assertThat(far.workloads()).extracting(Workload::at).contains(2.0, 8.0, 32.0);
    }

    @Test
    void a_distance_that_is_named_twice_is_measured_once() {
        Plan far = Plan.of(
                ComparisonTier.QUICK,
                List.of(Experiments.UNCONTENDED),
                null,
                List.of(),
                List.of(),
                RedisTopology.STANDALONE,
                List.of(Distance.ofRoundTrip(1), Distance.ofRoundTrip(5), Distance.ofRoundTrip(1)),
                PlanTest::wrong);

        assertThat(far.workloads()).extracting(Workload::at).containsExactly(1.0, 5.0);
    }

    private static Plan plan(ComparisonTier tier, @Nullable List<Experiment> only, @Nullable List<Subject> subjects) {
        return Plan.of(
                tier,
                only,
                subjects,
                List.of(),
                List.<Backend>of(),
                RedisTopology.STANDALONE,
                List.of(),
                PlanTest::wrong);
    }

    private static ParameterException wrong(String why) {
        return new ParameterException(new CommandLine(new Object()), why);
    }

    private static Stream<String> names(Plan plan) {
        return plan.workloads().stream()
                .map(Workload::experiment)
                .map(Experiment::name)
                .distinct();
    }

    private static List<Integer> locks(Plan plan) {
        return plan.workloads().stream().map(Workload::locks).toList();
    }

    private static List<String> experiments(Plan plan) {
        return names(plan).toList();
    }
}
