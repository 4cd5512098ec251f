package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.report.Advice.Card;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSafety;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageTest {
    private static final ReportedMetric FIGURE = new ReportedMetric("cycle_p50", "cycle, median", "us", "lower");
    private static final ReportedWorkload WORK =
            new ReportedWorkload("uncontended", "1 thread", "1 thread locks and unlocks", 1, 1, 1, 0, List.of(FIGURE));
    private static final List<String> KEPT = List.of("me1_a", "me2_a", "ow1_a", "li1_a", "fe1_a", "fe2_a");

    @Test
    void a_lock_that_was_better_in_every_round_is_called_so() {
        assertThat(conclusion(new Ratio(
                        "uncontended", "hasp-redis-jedis", "redisson-rlock", 1, 1, 0, "cycle_p50", 2, 1.5, 3, 4)))
                .startsWith("On Redis hasp-redis-jedis is 2.00 (1.50–3.00) times faster than redisson-rlock.");
    }

    @Test
    void a_lock_that_was_worse_in_every_round_is_called_so() {
        assertThat(conclusion(new Ratio(
                        "uncontended", "hasp-redis-jedis", "redisson-rlock", 1, 1, 0, "cycle_p50", 0.5, 0.4, 0.9, 4)))
                .startsWith("On Redis hasp-redis-jedis is 2.00 (1.11–2.50) times slower than redisson-rlock.");
    }

    @Test
    void where_the_rounds_disagree_no_difference_is_shown() {
        assertThat(conclusion(new Ratio(
                        "uncontended", "hasp-redis-jedis", "redisson-rlock", 1, 1, 0, "cycle_p50", 1.4, 0.9, 2, 4)))
                .startsWith("On Redis no difference is shown between hasp-redis-jedis and redisson-rlock.");
    }

    @Test
    void two_rounds_are_too_few_to_conclude_from() {
        assertThat(conclusion(new Ratio(
                        "uncontended", "hasp-redis-jedis", "redisson-rlock", 1, 1, 0, "cycle_p50", 2, 1.5, 3, 2)))
                .contains("too few rounds");
    }

    @Test
    void a_lock_is_advised_for_its_figures_if_it_keeps_the_rules() {
        Card card = card(document(kept("hasp-redis-jedis", KEPT), watched(0)));

        assertThat(card.lock()).isEqualTo("hasp-redis-jedis");
        assertThat(card.why()).contains("100 (90.0–110) µs", "the only one that fits");
        assertThat(card.caveat()).contains("may forget a lock", "fencing token");
        assertThat(card.others()).containsExactly("redisson-rlock: the suite has not tested it");
    }

    @Test
    void a_need_says_what_no_measured_lock_of_another_library_meets() {
        List<Guarantee> found = new ArrayList<>(kept("hasp-redis-jedis", KEPT));
        found.addAll(kept("redisson-rlock", List.of("me1_a", "me2_a", "ow1_a", "li1_a")));
        found.add(new Guarantee("fe1_a", "redisson-rlock", Outcome.NOT_OFFERED, "no tokens"));

        List<Card> cards = new Advice(document(found, watched(0))).cards();

        assertThat(cards.get(1).why())
                .endsWith(
                        "No lock of another library that was measured here gives fencing tokens in order (FE1) or gives a larger"
                                + " token after an expiry or a restart (FE2): for this need they could not be advised.");
        assertThat(cards.get(0).why())
                .contains("no difference shown to redisson-rlock")
                .doesNotContain("No lock of another library");
    }

    @Test
    void what_could_not_be_tested_is_not_kept_and_what_came_late_is_told_from_what_is_broken() {
        List<Guarantee> partly = new ArrayList<>(kept("hasp-redis-jedis", KEPT));
        partly.add(new Guarantee("me2_b", "hasp-redis-jedis", Outcome.NOT_TESTED, "no means"));
        List<Guarantee> late = new ArrayList<>(kept("hasp-redis-jedis", KEPT));
        late.add(new Guarantee("me2_b", "hasp-redis-jedis", Outcome.LATE, "no answer"));

        assertThat(card(document(partly, watched(0))).others())
                .contains("hasp-redis-jedis: not all of ME2 was tested on it");
        assertThat(card(document(late, watched(0))).others()).contains("hasp-redis-jedis: answers too late for ME2");
    }

    @Test
    void a_lock_that_its_library_advises_against_is_marked_where_it_stands() {
        assertThat(DisplayNames.subject("redisson-redlock")).contains("deprecated");
        assertThat(DisplayNames.marked("redisson-redlock")).isEqualTo("redisson-redlock (deprecated)");
        assertThat(DisplayNames.marked("hasp-redlock")).isEqualTo("hasp-redlock");
    }

    @Test
    void late_has_a_cell_of_its_own() {
        GuaranteeTopic topic = new GuaranteeTopic("no outage called “busy”", List.of("FA11"));
        Guarantee held = new Guarantee("fa11_a", "x", Outcome.HELD, "");
        Guarantee late = new Guarantee("fa11_b", "x", Outcome.LATE, "no answer");
        Guarantee broken = new Guarantee("fa11_c", "x", Outcome.BROKEN, "busy");

        assertThat(topic.cell(List.of(held, late), 2, false))
                .isEqualTo(new TableCell("late", "◔", "1 late / 2", "fa11"));
        assertThat(topic.cell(List.of(held, late, broken), 3, false))
                .isEqualTo(new TableCell("broken", "✗", "1 / 3, 1 late", "fa11"));
    }

    @Test
    void strict_order_is_compared_with_strict_order_first() {
        ReportedWorkload turns = new ReportedWorkload(
                "handoff",
                "4×1 clients",
                "4 processes",
                4,
                1,
                1,
                0,
                List.of(new ReportedMetric("a", "a", "1/s", "higher")));
        ResultsDocument before = document(List.of(), watched(0));
        ResultsDocument document = new ResultsDocument(
                before.schema(),
                before.run(),
                before.machine(),
                Stream.of("hasp-redis-jedis", "hasp-redis-jedis-fifo", "redisson-rlock", "redisson-fairlock")
                        .map(each -> new ReportedSubject(each, "Redis", each.startsWith("hasp") ? "hasp" : "peer"))
                        .toList(),
                List.of(turns),
                Stream.of("hasp-redis-jedis", "redisson-rlock", "hasp-redis-jedis-fifo", "redisson-fairlock")
                        .map(each -> new Measurement("handoff", each, 1, 4, 0, "a", "1/s", 5, 4, 6, 4))
                        .toList(),
                List.of(
                        new Ratio("handoff", "hasp-redis-jedis-fifo", "redisson-fairlock", 1, 4, 0, "a", 2, 1.5, 3, 4),
                        new Ratio("handoff", "hasp-redis-jedis", "redisson-rlock", 1, 4, 0, "a", 3, 2, 4, 4)),
                List.of(),
                List.of(),
                before.suite(),
                List.of());

        assertThat(new Conclusion(document, turns, turns.metrics().get(0)).toString())
                .isEqualTo(
                        "On Redis strict order against strict order, hasp-redis-jedis-fifo is 2.00 (1.50–3.00) times faster"
                                + " than redisson-fairlock; the best against the best, hasp-redis-jedis is 3.00 (2.00–4.00) times faster than"
                                + " redisson-rlock.");
    }

    @Test
    void a_lock_that_breaks_a_rule_is_not_advised_however_fast() {
        List<Guarantee> broken = new ArrayList<>(kept("hasp-redis-jedis", KEPT));
        broken.add(new Guarantee("me2_b", "hasp-redis-jedis", Outcome.BROKEN, "two held it"));

        Card card = card(document(broken, watched(0)));

        assertThat(card.lock()).isEmpty();
        assertThat(card.others()).contains("hasp-redis-jedis: breaks ME2");
    }

    @Test
    void a_lock_whose_lease_ends_is_free_after_a_crash_also_where_no_process_could_be_killed() {
        List<String> byLease = List.of("me1_a", "me2_a", "ow1_a", "le1_a", "fe1_a", "fe2_a");
        List<Guarantee> broken = new ArrayList<>(kept("hasp-redis-jedis", byLease));
        broken.add(new Guarantee("li1_a", "hasp-redis-jedis", Outcome.BROKEN, "still held"));

        assertThat(card(document(kept("hasp-redis-jedis", byLease), watched(0))).lock())
                .isEqualTo("hasp-redis-jedis");
        assertThat(card(document(broken, watched(0))).others()).contains("hasp-redis-jedis: breaks LI1");
    }

    @Test
    void a_lock_that_was_seen_to_be_held_twice_in_this_run_is_not_advised() {
        Card card = card(document(kept("hasp-redis-jedis", KEPT), watched(3)));

        assertThat(card.lock()).isEmpty();
        assertThat(card.others()).contains("hasp-redis-jedis: SAFETY VIOLATED in this run, 3 times");
    }

    @Test
    void a_lock_that_two_held_after_a_server_was_killed_is_not_advised_for_safety() {
        ResultsDocument calm = zooKeeper(0);
        ResultsDocument broken = zooKeeper(2);

        assertThat(new Advice(calm).cards().get(3).lock()).isEqualTo("hasp-zookeeper");
        assertThat(new Advice(broken).cards().get(3).lock()).isEmpty();
        assertThat(new Advice(broken).cards().get(3).others())
                .containsExactly("hasp-zookeeper: two held it at once when a server was killed in this run");
    }

    private static ResultsDocument zooKeeper(double overlaps) {
        ResultsDocument before = document(kept("hasp-zookeeper", KEPT), watched(0));
        return new ResultsDocument(
                before.schema(),
                before.run(),
                before.machine(),
                List.of(new ReportedSubject("hasp-zookeeper", "ZooKeeper", ResultsDocument.HASP)),
                before.workloads(),
                List.of(
                        new Measurement("uncontended", "hasp-zookeeper", 1, 1, 0, "cycle_p50", "us", 9, 8, 10, 4),
                        new Measurement("failover", "hasp-zookeeper", 2, 1, 0, "overlaps", "1", 0, 0, overlaps, 3)),
                List.of(),
                List.of(),
                List.of(),
                before.suite(),
                before.guarantees());
    }

    @Test
    void a_need_whose_experiment_was_not_run_says_so() {
        ResultsDocument document = document(kept("hasp-redis-jedis", KEPT), watched(0));

        assertThat(new Advice(document).cards())
                .filteredOn(card -> card.need().startsWith("Many threads"))
                .singleElement()
                .satisfies(card -> assertThat(card.why()).contains("Not measured in this run", "contended"));
    }

    @Test
    void what_failed_or_is_missing_stays_on_the_page_and_is_no_markup() throws IOException {
        String html = RealRun.html(RealRun.withGaps());

        assertThat(html)
                .contains("KeeperErrorCode &#x3D; ConnectionLoss &lt;b&gt;", "Interrupted.", "\"note\":\"failed\"")
                .contains("\"note\":\"not measured\"", "pairs of a lock and a workload")
                .doesNotContain("ConnectionLoss <b>");
    }

    @Test
    void an_experiment_and_a_figure_that_nobody_knew_are_shown_all_the_same() throws IOException {
        ReportedMetric gap = new ReportedMetric("availability_gap", "availability gap", "s", "lower");
        ReportedWorkload work =
                new ReportedWorkload("failover", "3 servers", "a server is killed", 4, 1, 1, 0, List.of(gap));
        ResultsDocument before = document(List.of(), watched(0));
        ResultsDocument document = new ResultsDocument(
                before.schema(),
                before.run(),
                before.machine(),
                before.subjects(),
                List.of(work),
                List.of(new Measurement("failover", "redisson-rlock", 1, 4, 0, "availability_gap", "s", 12, 11, 13, 5)),
                List.of(),
                before.safety(),
                List.of(),
                before.suite(),
                List.of());

        assertThat(RealRun.html(document))
                .contains("Failover: a server is killed", "availability gap, s", "12.0 (11.0–13.0) s");
    }

    private static String conclusion(Ratio ratio) {
        ResultsDocument empty = document(List.of(), watched(0));
        ResultsDocument document = new ResultsDocument(
                empty.schema(),
                empty.run(),
                empty.machine(),
                empty.subjects(),
                empty.workloads(),
                empty.measurements(),
                List.of(ratio),
                empty.safety(),
                List.of(),
                empty.suite(),
                List.of());
        return new Conclusion(document, WORK, FIGURE).toString();
    }

    private static Card card(ResultsDocument document) {
        return new Advice(document).cards().get(0);
    }

    private static List<Guarantee> kept(String subject, List<String> tests) {
        return tests.stream()
                .map(test -> new Guarantee(test, subject, Outcome.HELD, ""))
                .toList();
    }

    private static ReportedSafety watched(long overlaps) {
        return new ReportedSafety("hasp-redis-jedis", 1000, overlaps, 0, 0);
    }

    private static ResultsDocument document(List<Guarantee> guarantees, ReportedSafety watched) {
        return new ResultsDocument(
                ResultsDocument.SCHEMA,
                Run.of(List.of("compare"), Duration.ofSeconds(5), false),
                Machine.describe(Map.of("redis", "7")),
                List.of(
                        new ReportedSubject("hasp-redis-jedis", "Redis", ResultsDocument.HASP),
                        new ReportedSubject("redisson-rlock", "Redis", ResultsDocument.PEER)),
                List.of(WORK),
                Stream.of("hasp-redis-jedis", "redisson-rlock")
                        .map(each -> new Measurement("uncontended", each, 1, 1, 0, "cycle_p50", "us", 100, 90, 110, 4))
                        .toList(),
                List.of(),
                List.of(watched),
                List.of(),
                new ResultsDocument.SuiteRun("abcdef0", "2026-11-21", "standard", "0123", LockSources.UNKNOWN),
                guarantees);
    }
}
