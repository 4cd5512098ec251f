package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Axis;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.Curves.Section;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class CurvesTest {
    private static final ReportedMetric FIGURE =
            new ReportedMetric("cycle_p50", "median lock-and-unlock", "us", "lower");
    private static final List<Integer> FORKS = List.of(0, 0, 1, 1);

    @Test
    void the_page_shows_curves_as_curves_and_not_as_one_chart_for_each_point() throws IOException {
        ResultsDocument document = document(at -> 100 + 1_000 * at, at -> 150 + 2_000 * at, 0, 0.2, 1, 5);

        assertThat(RealRun.html(document)).contains("id=\"curves\"", "\"curve\":true");
        assertThat(new ChartData(document).sections()).isEmpty();
        Section section = new Curves(document).sections().get(0);
        assertThat(section.title()).isEqualTo("Uncontended by round trip: 1 thread locks");
        assertThat(section.first().spec().series())
                .extracting(Curves.Line::name)
                .containsExactly("mine", "theirs");
        assertThat(RealRun.html(RealRun.document())).doesNotContain("id=\"curves\"");
    }

    @Test
    void a_single_point_is_no_curve_and_has_a_chart_like_other_work() throws IOException {
        ResultsDocument document = document(at -> 100, at -> 150, 300);

        assertThat(new Curves(document).sections()).isEmpty();
        assertThat(new ChartData(document).sections())
                .extracting(ChartData.Section::title)
                .containsExactly("Uncontended: 1 thread locks; each round trip takes 300.0 ms longer");
        assertThat(RealRun.html(document)).contains("<td>300</td>").doesNotContain("id=\"curves\"");
    }

    private static ResultsDocument document(DoubleUnaryOperator mine, DoubleUnaryOperator theirs, double... places)
            throws IOException {
        ResultsDocument real = RealRun.document();
        List<ReportedWorkload> works = new ArrayList<>();
        List<Measurement> measurements = new ArrayList<>();
        for (double at : places) {
            works.add(new ReportedWorkload(
                    "uncontended",
                    "1 thread, +" + at + " ms",
                    "1 thread locks; each round trip takes " + at + " ms longer",
                    1,
                    1,
                    1,
                    0,
                    Axis.ROUND_TRIP.title(),
                    Axis.ROUND_TRIP.unit(),
                    at,
                    List.of(FIGURE)));
            measurements.add(measurement("mine", at, mine.applyAsDouble(at)));
            measurements.add(measurement("theirs", at, theirs.applyAsDouble(at)));
        }
        return new ResultsDocument(
                real.schema(),
                real.run(),
                real.machine(),
                List.of(
                        new ReportedSubject("mine", "Redis", ResultsDocument.HASP),
                        new ReportedSubject("theirs", "Redis", ResultsDocument.PEER)),
                works,
                measurements,
                List.of(),
                List.of(),
                List.of(),
                real.suite(),
                List.of());
    }

    private static Measurement measurement(String subject, double at, double value) {
        List<Double> rounds = List.of(value * 0.99, value * 1.01, value, value);
        return new Measurement(
                "uncontended", subject, 1, 1, 0, at, "cycle_p50", "us", value, value, value, 4, rounds, FORKS);
    }
}
