package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.report.Advice.Card;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which lock fits which need, by the same rule for all locks. */
class NeedTest {
    private static final int ONE_REDIS = 0;
    private static final int STRICT_ORDER = 2;
    private static final int FORGETS_NOTHING = 3;
    private static final List<String> EXCLUSION = List.of("me1_a", "me2_a", "ow1_a");
    private static final List<String> WITH_LEASE =
            List.of("me1_a", "me2_a", "ow1_a", "le1_a", "li6_a", "li6_none", "fe1_a", "fe2_a");

    private final List<Guarantee> found = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();

    @Test
    void a_crash_is_survived_if_one_of_its_two_tests_was_kept_and_not_if_neither_was_run() {
        kept("redisson-rlock", EXCLUSION);
        not("redisson-rlock", "li1_a", Outcome.NOT_TESTED);
        kept("redisson-rlock", List.of("le1_a"));
        kept("spring-redis", EXCLUSION);
        not("spring-redis", "li1_a", Outcome.NOT_TESTED);
        not("spring-redis", "le1_a", Outcome.NOT_OFFERED);

        Card card = card(ONE_REDIS, "redisson-rlock", "spring-redis");

        assertThat(card.lock()).isEqualTo("redisson-rlock");
        assertThat(card.caveat())
                .as("what was not tested is told of an advised lock, too")
                .contains("Not tested on it: LI1.");
        assertThat(card.others())
                .containsExactly("spring-redis: nothing shows that it is free after a crash: LI1 was not tested and LE1"
                        + " is not offered");
    }

    @Test
    void no_lock_is_exempt_from_a_rule_that_was_not_tested_on_it() {
        for (String lock : List.of("hasp-redis-jedis", "redisson-rlock", "spring-redis")) {
            for (String rule : List.of("me1_a", "me2_a", "ow1_a", "le1_a")) {
                found.clear();
                kept(
                        lock,
                        WITH_LEASE.stream().filter(each -> !each.equals(rule)).toList());
                not(lock, rule, Outcome.NOT_TESTED);

                assertThat(card(ONE_REDIS, lock).lock())
                        .as(lock + " without " + rule)
                        .isEmpty();
            }
        }
    }

    @Test
    void the_best_that_fits_of_another_library_is_named_though_it_is_slower() {
        kept("hasp-redis-jedis", WITH_LEASE);
        kept("redisson-rlock", WITH_LEASE);
        ratios.add(ratio("hasp-redis-jedis", "redisson-rlock", 1.5));

        Card card = card(ONE_REDIS, "hasp-redis-jedis", "redisson-rlock");

        assertThat(card.lock()).isEqualTo("hasp-redis-jedis");
        assertThat(card.also()).isEqualTo("redisson-rlock");
        assertThat(new Answer(document("hasp-redis-jedis", "redisson-rlock"))
                        .lines()
                        .get(ONE_REDIS))
                .hasToString(
                        "One Redis, and the work may run twice now and then → hasp-redis-jedis (also: redisson-rlock)");
    }

    @Test
    void another_library_that_is_better_wins_and_hasp_is_named_beside_it() {
        kept("hasp-redis-jedis", WITH_LEASE);
        kept("redisson-rlock", WITH_LEASE);
        ratios.add(ratio("redisson-rlock", "hasp-redis-jedis", 1.5));

        Card card = card(ONE_REDIS, "redisson-rlock", "hasp-redis-jedis");

        assertThat(card.lock()).isEqualTo("redisson-rlock");
        assertThat(card.also()).isEqualTo("hasp-redis-jedis");
    }

    @Test
    void what_may_forget_is_not_advised_where_nothing_may_be_forgotten() {
        Stream.of("hasp-redis-jedis", "hasp-redlock", "curator-mutex-per-thread")
                .forEach(each -> kept(each, WITH_LEASE));

        Card card = card(FORGETS_NOTHING, "hasp-redis-jedis", "hasp-redlock", "curator-mutex-per-thread");

        assertThat(card.lock()).isEqualTo("curator-mutex-per-thread");
        assertThat(card.caveat()).startsWith("Without a token check no lease is fully safe after a pause.");
        assertThat(card.others())
                .containsExactly(
                        "hasp-redis-jedis: one server keeps it",
                        "hasp-redlock: it relies on the servers' clocks, and a server that restarts without its data forgets it");
    }

    @Test
    void a_lock_that_hands_off_within_its_process_keeps_no_strict_order_between_threads() {
        kept("hasp-redis-jedis", WITH_LEASE);
        kept("redisson-fairlock", WITH_LEASE);
        not("redisson-fairlock", "li6_b", Outcome.NOT_TESTED);

        Card card = card(STRICT_ORDER, "hasp-redis-jedis", "redisson-fairlock", "hasp-redis-jedis-fifo");

        assertThat(card.others())
                .containsExactly(
                        "hasp-redis-jedis: threads of the holder's process may overtake others (up to 255 times or 20 ms in a row)",
                        "redisson-fairlock: not all of LI6 was tested on it",
                        "hasp-redis-jedis-fifo: the suite has not tested it");
    }

    @Test
    void only_what_was_tested_in_full_has_a_check_mark() {
        GuaranteeTopic topic = new GuaranteeTopic("free after a crash", List.of("LI1", "LE1", "LI9"));
        Guarantee held = new Guarantee("le1_a", "x", Outcome.HELD, "");
        Guarantee untested = new Guarantee("li1_a", "x", Outcome.NOT_TESTED, "no means");
        Guarantee notOffered = new Guarantee("li9_a", "x", Outcome.NOT_OFFERED, "no");

        assertThat(topic.cell(List.of(held), 1, false)).isEqualTo(new TableCell("held", "✓", "0 / 1", "le1"));
        assertThat(topic.cell(List.of(held, untested), 3, false))
                .isEqualTo(new TableCell("partly", "◐", "1 of 3 tested", "le1"));
        assertThat(topic.cell(List.of(held, untested, notOffered), 3, false))
                .isEqualTo(new TableCell("partly", "◐", "1 of 3 tested, 1 not offered", "le1"));
    }

    @Test
    void the_class_is_named_that_takes_part_where_several_share_a_lock() throws IOException {
        assertThat(DisplayNames.in("read-mostly", "redisson-rlock")).isEqualTo("redisson RReadWriteLock");
        assertThat(DisplayNames.in("permits", "curator-mutex")).isEqualTo("curator InterProcessSemaphoreV2");
        assertThat(DisplayNames.in("permits", "hasp-zookeeper")).isEqualTo("hasp-zookeeper semaphore");
        assertThat(DisplayNames.in("contended", "redisson-rlock")).isEqualTo("redisson-rlock");
    }

    @Test
    void the_page_says_why_a_percentile_may_exceed_the_longest_wait_and_counts_holds_once() throws IOException {
        ReportedMetric p99 = new ReportedMetric("wait_p99", "99th percentile of waits", "ms", "lower");
        ReportedMetric longest = new ReportedMetric("wait_max", "longest wait", "ms", "lower");
        ReportedMetric often = new ReportedMetric("acquisitions_per_s", "acquisitions", "1/s", "higher");
        ReportedWorkload work = new ReportedWorkload(
                "contended", "1×16 threads", "16 threads", 1, 16, 1, 1, List.of(often, p99, longest));
        ResultsDocument before = document("hasp-redis-jedis");
        ResultsDocument document = new ResultsDocument(
                before.schema(),
                before.run(),
                before.machine(),
                before.subjects(),
                List.of(work),
                List.of(
                        new Measurement("contended", "hasp-redis-jedis", 16, 1, 1, "wait_p99", "ms", 20, 19, 21, 2),
                        new Measurement("contended", "hasp-redis-jedis", 16, 1, 1, "wait_max", "ms", 17, 16, 21, 12)),
                List.of(),
                List.of(new ResultsDocument.ReportedSafety("hasp-redis-jedis", 7654, 0, 0, 0)),
                List.of(),
                before.suite(),
                List.of());

        assertThat(new ChartData(document).sections().get(0).more().get(0).what())
                .contains("a percentile can exceed it");
        assertThat(new ChartData(document).sections().get(0).title()).contains("⇄", "up to 255 times or 20 ms");
        assertThat(RealRun.html(document).split("0 / 7,654", -1)).hasSize(2);
    }

    private void kept(String lock, List<String> tests) {
        tests.forEach(test -> found.add(new Guarantee(test, lock, Outcome.HELD, "")));
    }

    private void not(String lock, String test, Outcome outcome) {
        found.add(new Guarantee(test, lock, outcome, "no means"));
    }

    private static Ratio ratio(String one, String other, double low) {
        return new Ratio("uncontended", one, other, 1, 1, 0, "cycle_p50", low + 1, low, low + 2, 4);
    }

    private Card card(int need, String... locks) {
        return new Advice(document(locks)).cards().get(need);
    }

    /** In the order of their speed. */
    private ResultsDocument document(String... locks) {
        ReportedMetric cycle = new ReportedMetric("cycle_p50", "cycle, median", "us", "lower");
        ReportedMetric handoff = new ReportedMetric("handoff_p50", "time to the next", "us", "lower");
        List<ReportedWorkload> works = List.of(
                new ReportedWorkload("uncontended", "1 thread", "1 thread locks", 1, 1, 1, 0, List.of(cycle)),
                new ReportedWorkload("handoff", "4×1 clients", "4 processes take turns", 4, 1, 1, 0, List.of(handoff)));
        List<Measurement> measured = new ArrayList<>();
        for (int i = 0; i < locks.length; i++) {
            double time = 100 + i;
            measured.add(new Measurement("uncontended", locks[i], 1, 1, 0, "cycle_p50", "us", time, 90, 110, 4));
            measured.add(new Measurement("handoff", locks[i], 1, 4, 0, "handoff_p50", "us", time, 90, 110, 4));
        }
        return new ResultsDocument(
                ResultsDocument.SCHEMA,
                Run.of(List.of("compare"), Duration.ofSeconds(5), false),
                Machine.describe(Map.of()),
                Stream.of(locks)
                        .map(each -> new ReportedSubject(
                                each,
                                each.contains("curator") ? "ZooKeeper" : "Redis",
                                each.startsWith("hasp") ? ResultsDocument.HASP : ResultsDocument.PEER))
                        .toList(),
                works,
                measured,
                List.copyOf(ratios),
                List.of(),
                List.of(),
                new ResultsDocument.SuiteRun("abcdef0", "2026-11-21", "standard", "0123", LockSources.UNKNOWN),
                List.copyOf(found));
    }
}
