package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.measure.Ratio;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSafety;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTest {
    @Test
    void a_lock_that_its_library_advises_against_is_marked_where_it_stands() {
        assertThat(DisplayNames.subject("redisson-redlock")).contains("deprecated");
        assertThat(DisplayNames.marked("redisson-redlock")).isEqualTo("redisson-redlock (deprecated)");
        assertThat(DisplayNames.marked("hasp-redlock")).isEqualTo("hasp-redlock");
    }

    @Test
    void the_class_is_named_that_takes_part_where_several_share_a_lock() {
        assertThat(DisplayNames.in("read-mostly", "redisson-rlock")).isEqualTo("redisson RReadWriteLock");
        assertThat(DisplayNames.in("permits", "curator-mutex")).isEqualTo("curator InterProcessSemaphoreV2");
        assertThat(DisplayNames.in("permits", "hasp-zookeeper")).isEqualTo("hasp-zookeeper semaphore");
        assertThat(DisplayNames.in("election", "curator-mutex")).isEqualTo("curator LeaderLatch");
        assertThat(DisplayNames.in("election", "curator-mutex-per-thread")).isEqualTo("curator LeaderSelector");
        assertThat(DisplayNames.in("contended", "redisson-rlock")).isEqualTo("redisson-rlock");
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
    void what_failed_or_is_missing_stays_on_the_page_and_is_no_markup() throws IOException {
        String html = RealRun.html(RealRun.withGaps());

        assertThat(html)
                .contains("KeeperErrorCode &#x3D; ConnectionLoss &lt;b&gt;", "Interrupted.", "\"note\":\"failed\"")
                .contains("\"note\":\"not measured\"", ", then it failed</td>")
                .doesNotContain("ConnectionLoss <b>");
    }

    @Test
    void an_experiment_and_a_figure_that_nobody_knew_are_shown_all_the_same() throws IOException {
        ReportedMetric gap = new ReportedMetric("availability_gap", "availability gap", "s", "lower");
        ReportedWorkload work =
                new ReportedWorkload("failover", "3 servers", "a server is killed", 4, 1, 1, 0, List.of(gap));
        Measurement found =
                new Measurement("failover", "redisson-rlock", 1, 4, 0, "availability_gap", "s", 12, 11, 13, 5);

        assertThat(RealRun.html(document(work, List.of(found), List.of())))
                .contains("Failover: a server is killed", "availability gap, s", "12.0 (11.0–13.0) s");
    }

    @Test
    void the_page_asks_which_servers_run_already_and_has_a_column_for_each_kind_in_the_run() throws IOException {
        assertThat(RealRun.html(RealRun.document()))
                .contains(
                        "What do you run already?",
                        "<th scope=\"col\">only Redis</th><th scope=\"col\">only ZooKeeper</th></tr>")
                .contains("<th scope=\"row\">Many threads of a process want one name</th><td>");
    }

    @Test
    void a_ratio_has_its_interval_beside_the_chart_and_holds_are_counted_once() throws IOException {
        ReportedMetric often = new ReportedMetric("acquisitions_per_s", "acquisitions", "1/s", "higher");
        ReportedWorkload work =
                new ReportedWorkload("contended", "1×16 threads", "16 threads", 1, 16, 1, 1, List.of(often));
        Ratio ratio = new Ratio(
                "contended", "hasp-redis-jedis", "redisson-rlock", 16, 1, 1, "acquisitions_per_s", 2, 1.5, 3, 4);
        ResultsDocument document = document(work, List.of(), List.of(ratio));

        ChartData.Section section = new ChartData(document).sections().get(0);
        assertThat(section.title()).contains("⇄", "up to 255 times or 20 ms");
        assertThat(section.ratios().rows())
                .containsExactly(new ChartData.TableRow(
                        "hasp-redis-jedis ⇄", List.of("redisson-rlock", "×2.00 (1.50–3.00)", "4")));
        assertThat(RealRun.html(document)).contains("<td>×2.00 (1.50–3.00)</td>", Difference.INTERVAL);
        assertThat(RealRun.html(document).split("0 / 7,654", -1)).hasSize(2);
    }

    private static ResultsDocument document(ReportedWorkload work, List<Measurement> measured, List<Ratio> ratios) {
        return new ResultsDocument(
                ResultsDocument.SCHEMA,
                Run.of(List.of("compare"), Duration.ofSeconds(5), false),
                Machine.describe(Map.of("redis", "7")),
                List.of(
                        new ReportedSubject("hasp-redis-jedis", "Redis", ResultsDocument.HASP),
                        new ReportedSubject("redisson-rlock", "Redis", ResultsDocument.PEER)),
                List.of(work),
                measured,
                ratios,
                List.of(new ReportedSafety("hasp-redis-jedis", 7654, 0, 0, 0)),
                List.of(),
                new ResultsDocument.SuiteRun("abcdef0", "2026-11-21", "standard", "0123", LockSources.UNKNOWN),
                List.of());
    }
}
