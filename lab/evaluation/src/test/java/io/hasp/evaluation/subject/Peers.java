package io.hasp.evaluation.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.hasp.conformance.rules.SharedLockConformance;
import io.hasp.conformance.rules.support.LateAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs peers under the suite and notes what came of each rule, with the words of the counter-example. */
final class Peers {
    private static final String NOT_CLAIMED = " is not claimed";

    private Peers() {}

    enum Outcome {
        HELD,
        BROKEN,
        /** No answer within the patience. */
        LATE,
        /** The peer does not claim what the rule is about. */
        NOT_OFFERED,
        /** The rule needs something that can't be had here. */
        SKIPPED
    }

    record Finding(String rule, String subject, Outcome outcome, String reason) {}

    /** All rules for the exclusive locks of a library. */
    static List<Finding> all(String library) {
        return all(library, false);
    }

    /** All rules for its read-write locks and semaphores. */
    static List<Finding> allShared(String library) {
        return all(library, true);
    }

    private static List<Finding> all(String library, boolean shared) {
        return Stream.of(Peer.values())
                .filter(peer -> peer.label().startsWith(library)
                        && SharedLockConformance.class.isAssignableFrom(peer.adopter()) == shared)
                .flatMap(peer -> run(peer, selectClass(peer.adopter())).stream())
                .toList();
    }

    /**
     * Prints the findings. Some of the faults that users of these libraries reported, or that were seen before, must be
     * among them.
     */
    static void assertFound(List<Finding> trialResult, int atLeast, Tuple... known) {
        System.out.println(table(trialResult));
        assertThat(trialResult)
                .filteredOn(finding -> finding.outcome() == Outcome.BROKEN || finding.outcome() == Outcome.LATE)
                .extracting(Finding::rule, Finding::subject)
                .filteredOn(List.of(known)::contains)
                .as("known faults that the suite finds by itself")
                .hasSizeGreaterThanOrEqualTo(atLeast);
    }

    /** Some of them. */
    static List<Finding> some(Peer peer, List<String> rules) {
        return run(
                peer,
                rules.stream().map(rule -> selectMethod(peer.adopter(), rule)).toArray(DiscoverySelector[]::new));
    }

    private static List<Finding> run(Peer peer, DiscoverySelector... selectors) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        Notes notes = new Notes(peer.label());
        LauncherFactory.create().execute(request, notes);
        return notes.trialResult;
    }

    static String table(List<Finding> trialResult) {
        StringBuilder text = new StringBuilder("Rules and peers\n");
        trialResult.stream().map(Finding::rule).distinct().sorted().forEach(rule -> {
            text.append('\n').append(rule.replace('_', ' ')).append('\n');
            trialResult.stream()
                    .filter(finding -> finding.rule().equals(rule))
                    .forEach(finding -> text.append(String.format(
                            Locale.ROOT,
                            "    %-26s %s%s%n",
                            finding.subject(),
                            finding.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                            finding.reason().isEmpty() ? "" : ": " + finding.reason())));
        });
        return text.toString();
    }

    /**
     * Failures other than those of rules, such as the pins of skips that an adopter of ours would need, are irrelevant
     * for a peer.
     */
    private static final class Notes implements TestExecutionListener {
        private final List<Finding> trialResult = new ArrayList<>();
        private final String subject;

        Notes(String subject) {
            this.subject = subject;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (!test.isTest()) {
                return;
            }
            String rule = test.getSource()
                    .map(MethodSource.class::cast)
                    .map(MethodSource::getMethodName)
                    .orElseThrow();
            String words = result.getThrowable().map(Peers.Notes::words).orElse("");
            trialResult.add(new Finding(rule, subject, outcome(result, words), words));
        }

        private static Outcome outcome(TestExecutionResult result, String words) {
            return switch (result.getStatus()) {
                case SUCCESSFUL -> Outcome.HELD;
                case FAILED ->
                    result.getThrowable().filter(LateAnswer::isReasonOf).isPresent() ? Outcome.LATE : Outcome.BROKEN;
                case ABORTED -> words.contains(NOT_CLAIMED) ? Outcome.NOT_OFFERED : Outcome.SKIPPED;
            };
        }

        private static String words(Throwable why) {
            String message = why.getMessage() == null ? why.getClass().getName() : why.getMessage();
            boolean asserted =
                    why instanceof AssertionError || why.getClass().getName().contains("Aborted");
            String text = asserted ? message : why.getClass().getSimpleName() + ": " + message;
            return text.strip().replaceAll("\\s+", " ");
        }
    }
}
