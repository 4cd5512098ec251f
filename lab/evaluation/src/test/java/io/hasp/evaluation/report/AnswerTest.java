package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Failure;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSafety;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock for each need, by the same rule for all locks. */
class AnswerTest {
    private static final int ONE_REDIS = 0;
    private static final int DATABASE = 1;
    private static final int TOKENS = 2;
    private static final int STRICT_ORDER = 3;
    private static final int FORGETS_NOTHING = 4;
    private static final int ONE_NAME_ON_GIVEN_SERVERS = 4;
    private static final String NONE = "no advice";
    private static final List<String> RULES =
            List.of("me1_a", "me2_a", "ow1_a", "le1_a", "li6_a", "li6_none", "fe1_a", "fe2_a");

    private final List<Guarantee> found = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();
    private final List<Measurement> more = new ArrayList<>();
    private final List<ReportedWorkload> works = new ArrayList<>();
    private final List<String> unmeasured = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();
    private long overlaps;

    @Test
    void a_crash_is_survived_if_one_of_its_two_tests_was_kept_and_not_if_neither_was_run() {
        kept("redisson-rlock", RULES);
        found.add(guarantee("redisson-rlock", "li1_a", Outcome.NOT_TESTED));
        kept("spring-redis", List.of("me1_a", "me2_a", "ow1_a"));
        found.add(guarantee("spring-redis", "le1_a", Outcome.NOT_OFFERED));

        assertThat(lock(ONE_REDIS, "spring-redis", "redisson-rlock")).isEqualTo("redisson-rlock");
        found.add(guarantee("redisson-rlock", "li1_b", Outcome.BROKEN));
        assertThat(lock(ONE_REDIS, "spring-redis", "redisson-rlock")).isEqualTo(NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"me1_a", "me2_a", "ow1_a", "le1_a"})
    void no_lock_is_exempt_from_a_rule_that_was_not_tested_on_it(String rule) {
        for (String lock : List.of("hasp-redis-jedis", "redisson-rlock", "spring-redis")) {
            kept(lock, RULES.stream().filter(each -> !each.equals(rule)).toList());

            assertThat(lock(ONE_REDIS, lock)).as(lock + " without " + rule).isEqualTo(NONE);
            kept(lock, List.of(rule));
            assertThat(lock(ONE_REDIS, lock)).isEqualTo(lock);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "HELD", mode = EnumSource.Mode.EXCLUDE)
    void a_rule_of_which_one_test_was_not_kept_is_not_kept(Outcome outcome) {
        kept("hasp-redis-jedis", RULES);
        found.add(guarantee("hasp-redis-jedis", "me2_b", outcome));

        assertThat(lock(ONE_REDIS, "hasp-redis-jedis")).isEqualTo(NONE);
    }

    @Test
    void the_best_of_the_other_side_is_named_though_it_is_slower_and_whoever_is_better_wins() {
        kept("hasp-redis-jedis", RULES);
        kept("redisson-rlock", RULES);
        ratios.add(ratio("hasp-redis-jedis", "redisson-rlock"));
        ratios.add(ratio("redisson-rlock", "hasp-redis-jedis"));

        assertThat(line(ONE_REDIS, "hasp-redis-jedis", "redisson-rlock"))
                .hasToString(
                        "One Redis, and the work may run twice now and then → hasp-redis-jedis (also: redisson-rlock)");
        assertThat(line(ONE_REDIS, "redisson-rlock", "hasp-redis-jedis"))
                .hasToString(
                        "One Redis, and the work may run twice now and then → redisson-rlock (also: hasp-redis-jedis)");
    }

    @Test
    void a_lock_of_which_no_difference_is_shown_is_named_beside_the_best() {
        kept("hasp-redis-jedis", RULES);
        kept("redisson-rlock", RULES);

        assertThat(line(ONE_REDIS, "hasp-redis-jedis", "redisson-rlock").beside())
                .isEqualTo("no difference shown: redisson-rlock");
    }

    /** The ratios of two equal locks are on one side of 1 in all of three rounds every fourth time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void locks_of_fewer_than_four_rounds_are_neither_different_nor_equal(int rounds) {
        kept("hasp-redis-jedis", RULES);
        kept("redisson-rlock", RULES);
        ratios.add(ratio("hasp-redis-jedis", "redisson-rlock", rounds));

        assertThat(line(ONE_REDIS, "hasp-redis-jedis", "redisson-rlock").beside())
                .isEqualTo("too few rounds to compare: redisson-rlock");
    }

    @Test
    void a_lock_without_tokens_is_not_advised_where_the_store_checks_them() {
        kept(
                "redisson-rlock",
                RULES.stream().filter(each -> !each.equals("fe2_a")).toList());
        kept("hasp-redis-jedis", RULES);

        assertThat(lock(TOKENS, "redisson-rlock", "hasp-redis-jedis")).isEqualTo("hasp-redis-jedis");
    }

    @Test
    void in_a_database_that_commits_no_late_write_a_lock_gives_tokens_and_is_in_it() {
        Stream.of("hasp-redis-jedis", "hasp-postgres").forEach(each -> kept(each, RULES));
        kept(
                "spring-jdbc",
                RULES.stream().filter(each -> !each.startsWith("fe")).toList());

        assertThat(line(DATABASE, "spring-jdbc", "hasp-redis-jedis", "hasp-postgres"))
                .hasToString("Only a database, and it must commit no late write → hasp-postgres");
        assertThat(lock(DATABASE, "spring-jdbc", "hasp-redis-jedis")).isEqualTo(NONE);
    }

    @Test
    void on_servers_that_are_there_already_the_best_of_their_locks_is_named() {
        Stream.of("hasp-redis-jedis", "redisson-rlock", "spring-jdbc", "hasp-postgres", "curator-mutex")
                .forEach(each -> kept(each, RULES));
        Answer all = answer("hasp-redis-jedis", "redisson-rlock", "spring-jdbc", "hasp-postgres", "curator-mutex");

        assertThat(all.servers()).containsExactly("Redis", "ZooKeeper", "PostgreSQL");
        assertThat(all.onGivenServers().get(0).lines())
                .extracting(Answer.Line::lock)
                .containsExactly("hasp-redis-jedis", "curator-mutex", "spring-jdbc");
        assertThat(all.onGivenServers().get(FORGETS_NOTHING - 1).lines())
                .extracting(Answer.Line::lock)
                .containsExactly(NONE, "curator-mutex", NONE);
        assertThat(answer("hasp-redis-jedis").servers()).containsExactly("Redis");
    }

    @Test
    void a_lock_that_may_be_forgotten_is_not_advised_where_nothing_may_be_forgotten() {
        Stream.of("hasp-redis-jedis", "hasp-redlock", "curator-mutex-per-thread")
                .forEach(each -> kept(each, RULES));

        assertThat(lock(FORGETS_NOTHING, "hasp-redis-jedis", "hasp-redlock", "curator-mutex-per-thread"))
                .isEqualTo("curator-mutex-per-thread");
        more.add(new Measurement("failover", "curator-mutex-per-thread", 2, 1, 0, "overlaps", "1", 0, 0, 2, 3));
        assertThat(lock(FORGETS_NOTHING, "curator-mutex-per-thread"))
                .as("two held it when a server was killed")
                .isEqualTo(NONE);
    }

    @Test
    void a_lock_that_hands_off_within_its_process_keeps_no_strict_order_between_threads() {
        Stream.of("hasp-redis-jedis", "redisson-fairlock", "hasp-redis-jedis-fifo")
                .forEach(each -> kept(each, RULES));
        found.add(guarantee("redisson-fairlock", "li6_b", Outcome.NOT_TESTED));

        assertThat(line(STRICT_ORDER, "hasp-redis-jedis", "redisson-fairlock", "hasp-redis-jedis-fifo"))
                .hasToString("Strict order between all threads → hasp-redis-jedis-fifo");
    }

    @Test
    void a_lock_that_was_held_twice_in_this_run_is_not_advised_nor_one_whose_experiment_was_not_run() {
        kept("hasp-redis-jedis", RULES);

        assertThat(answer("hasp-redis-jedis")
                        .onGivenServers()
                        .get(ONE_NAME_ON_GIVEN_SERVERS)
                        .lines())
                .extracting(Answer.Line::lock)
                .containsExactly(NONE);
        assertThat(lock(ONE_REDIS, "hasp-redis-jedis")).isEqualTo("hasp-redis-jedis");
        overlaps = 3;
        assertThat(lock(ONE_REDIS, "hasp-redis-jedis")).isEqualTo(NONE);
    }

    @Test
    void the_next_figure_decides_where_no_lock_that_meets_the_need_has_the_first() {
        kept("hasp-redis-jedis", RULES);
        ReportedMetric cycles = new ReportedMetric("cycles_per_s", "locks and unlocks", "1/s", "higher");
        works.add(new ReportedWorkload("distinct", "16 threads", "threads lock", 1, 16, 16, 0, List.of(cycles)));
        more.add(new Measurement("distinct", "hasp-redis-jedis", 16, 1, 0, "cycles_per_s", "1/s", 9, 8, 10, 4));
        unmeasured.add("hasp-redis-jedis");

        assertThat(line(ONE_REDIS, "redisson-rlock", "hasp-redis-jedis").lock()).isEqualTo("hasp-redis-jedis");
    }

    @Test
    void a_lock_that_failed_after_some_rounds_is_not_advised_by_their_figures() {
        kept("hasp-redis-jedis", RULES);
        kept("redisson-rlock", RULES);
        failures.add(new Failure("uncontended", "hasp-redis-jedis", 1, 1, 1, 0, "the server went away"));

        assertThat(line(ONE_REDIS, "hasp-redis-jedis", "redisson-rlock"))
                .hasToString("One Redis, and the work may run twice now and then → redisson-rlock");
    }

    @Test
    void an_answer_by_figures_at_a_distance_names_the_distance() {
        kept("hasp-redis-jedis", RULES);
        ReportedMetric cycle = new ReportedMetric("cycle_p50", "cycle, median", "us", "lower");
        works.add(new ReportedWorkload(
                "uncontended", "1 thread, +5 ms", "1 thread", 1, 1, 1, 0, "round trip", "ms", 5, List.of(cycle)));
        more.add(new Measurement(
                "uncontended",
                "hasp-redis-jedis",
                1,
                1,
                0,
                5,
                "cycle_p50",
                "us",
                100,
                90,
                110,
                4,
                List.of(),
                List.of()));
        unmeasured.add("hasp-redis-jedis");

        assertThat(line(ONE_REDIS, "hasp-redis-jedis"))
                .hasToString(
                        "One Redis, and the work may run twice now and then (round trips +5.00 ms) → hasp-redis-jedis");
    }

    private void kept(String lock, List<String> tests) {
        tests.forEach(test -> found.add(guarantee(lock, test, Outcome.HELD)));
    }

    private static Guarantee guarantee(String lock, String test, Outcome outcome) {
        return new Guarantee(test, lock, outcome, "no means");
    }

    private static Ratio ratio(String one, String other) {
        return ratio(one, other, 4);
    }

    private static Ratio ratio(String one, String other, int rounds) {
        return new Ratio("uncontended", one, other, 1, 1, 0, "cycle_p50", 2.5, 1.5, 3.5, rounds);
    }

    private String lock(int need, String... locks) {
        return line(need, locks).lock();
    }

    /** Of locks in the order of their speed. */
    private Answer.Line line(int need, String... locks) {
        return answer(locks).lines().get(need);
    }

    private Answer answer(String... locks) {
        ReportedMetric cycle = new ReportedMetric("cycle_p50", "cycle, median", "us", "lower");
        ReportedMetric handoff = new ReportedMetric("handoff_p50", "time to the next", "us", "lower");
        List<ReportedWorkload> all = new ArrayList<>(List.of(
                new ReportedWorkload("uncontended", "1 thread", "1 thread locks", 1, 1, 1, 0, List.of(cycle)),
                new ReportedWorkload(
                        "handoff", "4×1 clients", "4 processes take turns", 4, 1, 1, 0, List.of(handoff))));
        all.addAll(works);
        List<Measurement> measured = new ArrayList<>(more);
        for (int i = 0; i < locks.length; i++) {
            double time = 100 + i;
            if (unmeasured.contains(locks[i])) {
                continue;
            }
            measured.add(new Measurement("uncontended", locks[i], 1, 1, 0, "cycle_p50", "us", time, 90, 110, 4));
            measured.add(new Measurement("handoff", locks[i], 1, 4, 0, "handoff_p50", "us", time, 90, 110, 4));
        }
        ResultsDocument document = new ResultsDocument(
                ResultsDocument.SCHEMA,
                Run.of(List.of("compare"), Duration.ofSeconds(5), false),
                Machine.describe(Map.of()),
                Stream.of(locks)
                        .map(each -> new ReportedSubject(
                                each,
                                each.contains("curator") ? "ZooKeeper" : "Redis",
                                each.startsWith("hasp") ? ResultsDocument.HASP : ResultsDocument.PEER))
                        .toList(),
                all,
                measured,
                List.copyOf(ratios),
                List.of(new ReportedSafety("hasp-redis-jedis", 1000, overlaps, 0, 0)),
                List.copyOf(failures),
                new ResultsDocument.SuiteRun("abcdef0", "2026-11-21", "standard", "0123", LockSources.UNKNOWN),
                List.copyOf(found));
        return new Answer(document);
    }
}
