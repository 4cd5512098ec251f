package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.evaluation.measure.Axis;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.Curves.Point;
import io.hasp.evaluation.report.Curves.Section;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class CurvesTest {
    private static final ReportedMetric FIGURE =
            new ReportedMetric("cycle_p50", "median lock-and-unlock", "us", "lower");
    private static final List<Integer> FORKS = List.of(0, 0, 1, 1);

    @Test
    void a_cost_is_flat_or_linear_or_the_page_says_what_else() {
        assertThat(growth(at -> 5)).isEqualTo(Growth.FLAT);
        assertThat(growth(at -> 2 * at)).isEqualTo(Growth.LINEAR);
        assertThat(growth(at -> Math.sqrt(at))).isEqualTo(Growth.SLOWLY);
        assertThat(growth(at -> at * at)).isEqualTo(Growth.FASTER);
        assertThat(growth(at -> at < 1_000 ? 5 : 5 * at / 100))
                .as("flat at first")
                .isNotEqualTo(Growth.FLAT);
        assertThat(Growth.of(points(at -> 1 / at), false))
                .as("a throughput that falls")
                .isEqualTo(Growth.LINEAR);
    }

    @Test
    void two_locks_are_alike_from_the_distance_on_from_which_no_difference_is_shown() throws IOException {
        Section section = sections(at -> 100 + 1_000 * at, at -> at < 1 ? 300 + 1_000 * at : 105 + 1_000 * at)
                .get(0);

        assertThat(section.first().sentences())
                .containsExactly("mine and theirs are alike from a round trip of 1.00 ms on.");
        assertThat(section.title()).isEqualTo("Uncontended by round trip: 1 thread locks");
        assertThat(section.first().spec().series())
                .extracting(Curves.Line::name)
                .containsExactly("mine", "theirs");
    }

    @Test
    void two_locks_of_which_one_takes_more_round_trips_stay_different() throws IOException {
        assertThat(sections(at -> 75 + 1_000 * at, at -> 150 + 2_000 * at)
                        .get(0)
                        .first()
                        .sentences())
                .containsExactly("mine and theirs stay different: ×2.00 at 5.00 ms.");
    }

    @Test
    void the_page_shows_curves_as_curves_and_not_as_one_chart_for_each_point() throws IOException {
        ResultsDocument document = document(at -> 100 + 1_000 * at, at -> 150 + 2_000 * at);

        assertThat(RealRun.html(document)).contains("id=\"curves\"", "\"curve\":true", "stay different");
        assertThat(new ChartData(document).sections()).isEmpty();
        assertThat(RealRun.html(RealRun.document())).doesNotContain("id=\"curves\"");
    }

    private static Growth growth(DoubleUnaryOperator cost) {
        return Growth.of(points(cost), true);
    }

    private static List<Point> points(DoubleUnaryOperator cost) {
        return DoubleStream.of(1, 10, 100, 1_000, 10_000)
                .mapToObj(at -> {
                    double value = cost.applyAsDouble(at);
                    return new Point(at, value, value, value, 4);
                })
                .toList();
    }

    private static List<Section> sections(DoubleUnaryOperator mine, DoubleUnaryOperator theirs) throws IOException {
        return new Curves(document(mine, theirs)).sections();
    }

    private static ResultsDocument document(DoubleUnaryOperator mine, DoubleUnaryOperator theirs) throws IOException {
        ResultsDocument real = RealRun.document();
        List<ReportedWorkload> works = new ArrayList<>();
        List<Measurement> measurements = new ArrayList<>();
        for (double at : new double[] {0, 0.2, 1, 5}) {
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
