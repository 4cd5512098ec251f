package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Axis;
import io.hasp.evaluation.measure.Measurement;
import io.hasp.evaluation.report.ResultsDocument.ReportedMetric;
import io.hasp.evaluation.report.ResultsDocument.ReportedSubject;
import io.hasp.evaluation.report.ResultsDocument.ReportedWorkload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Recommends a lock for each need, one line each: the page begins with these lines, and the terminal ends with them. Of
 * the locks that meet a need, the line names the lock with the best median, and beside it each lock without a shown
 * {@link Difference} to it.
 */
final class Answer {
    private static final String NONE = "no advice";

    private final ResultsDocument document;
    private final Guarantees guarantees;

    Answer(ResultsDocument document) {
        this.document = document;
        this.guarantees = Guarantees.of(document);
    }

    /**
     * One need.
     *
     * @param need in words
     * @param lock the lock to take, or that none was found
     * @param beside other locks to take, in words; empty if none fits
     */
    record Line(String need, String lock, String beside) {
        @Override
        public String toString() {
            return need + " → " + lock + (beside.isEmpty() ? "" : " (" + beside + ")");
        }
    }

    List<Line> lines() {
        return Need.ALL.stream().map(this::line).toList();
    }

    /**
     * The answers to one need of users who run servers already.
     *
     * @param need in words
     * @param lines one for each kind of servers, in the order of {@link #servers}
     */
    record Row(String need, List<Line> lines) {}

    /** Returns the kinds of servers that locks of this run are on. */
    List<String> servers() {
        return Stream.of(Topology.REDIS, Topology.ZOOKEEPER, Topology.POSTGRES)
                .filter(each -> document.locks().stream()
                        .anyMatch(lock ->
                                Topology.of(document, lock.subject()).servers().equals(each)))
                .toList();
    }

    /** Returns a row for each need that does not depend on the kind of servers. */
    List<Row> onGivenServers() {
        return Need.ON_GIVEN_SERVERS.stream()
                .map(need -> new Row(
                        need.title(),
                        servers().stream().map(each -> line(need.on(each))).toList()))
                .toList();
    }

    /** A heading, each need, and the reason if a need has no lock. */
    List<String> forTheTerminal() {
        List<Line> lines = lines();
        boolean none = lines.stream().anyMatch(line -> line.lock().equals(NONE));
        return Stream.of(
                        Stream.of(
                                "IN FIVE LINES  which lock for which need; also: meets the same criteria, but is slower"),
                        lines.stream().map(line -> "  " + line),
                        none
                                ? Stream.of(
                                        "  " + NONE
                                                + ": no lock of this run has the figure that decides and keeps every rule of that need, as far as tested")
                                : Stream.<String>empty())
                .flatMap(each -> each)
                .toList();
    }

    private Line line(Need need) {
        List<ReportedSubject> fit = document.locks().stream()
                .filter(lock -> need.isMetBy(document, guarantees, lock.subject()))
                .toList();
        for (Need.Criterion criterion : need.criteria()) {
            Optional<ReportedWorkload> work = criterion.of(document, fit);
            if (work.isPresent()) {
                return line(need, work.get(), criterion, fit);
            }
        }
        return new Line(need.title(), NONE, "");
    }

    private Line line(Need need, ReportedWorkload work, Need.Criterion criterion, List<ReportedSubject> fit) {
        ReportedMetric figure = criterion.figure(work);
        List<Measurement> ranked = criterion.ranked(document, work, fit);
        Measurement best = ranked.get(0);
        List<Measurement> behind = ranked.subList(1, ranked.size());
        Map<Difference, List<String>> found = behind.stream()
                .collect(Collectors.groupingBy(
                        each -> shown(Difference.of(document, work, figure, best, each, behind.size())),
                        Collectors.mapping(Measurement::subject, Collectors.toList())));
        Optional<String> other =
                otherRole(best, behind).filter(found.getOrDefault(Difference.BETTER, List.of())::contains);
        String beside = Stream.of(
                        words("no difference shown", found.get(Difference.NOT_SHOWN)),
                        words("too few rounds to compare", found.get(Difference.TOO_FEW_ROUNDS)),
                        words("also", other.map(List::of).orElse(null)))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("; "));
        return new Line(title(need, work), best.subject(), beside);
    }

    /** The best median decides, so a ratio that says the opposite shows no difference. */
    private static Difference shown(Difference found) {
        return found == Difference.WORSE ? Difference.NOT_SHOWN : found;
    }

    private static Optional<String> words(String what, @Nullable List<String> locks) {
        return Optional.ofNullable(locks).map(all -> what + ": " + DisplayNames.list(all));
    }

    /** With the distance of the servers ({@code --rtt}) that the figures are of: of several the first. */
    private static String title(Need need, ReportedWorkload work) {
        return work.axis().equals(Axis.ROUND_TRIP.title())
                ? need.title() + " (round trips +" + NumberText.number(work.at()) + " " + work.axisUnit() + ")"
                : need.title();
    }

    /** The best lock of another library if the first is Hasp's, or else the best of Hasp's. */
    private Optional<String> otherRole(Measurement first, List<Measurement> behind) {
        String role = role(first);
        return behind.stream()
                .filter(each -> !role(each).equals(role))
                .findFirst()
                .map(Measurement::subject);
    }

    private String role(Measurement found) {
        return document.locks().stream()
                .filter(each -> each.subject().equals(found.subject()))
                .findFirst()
                .map(ReportedSubject::role)
                .orElse("");
    }
}
