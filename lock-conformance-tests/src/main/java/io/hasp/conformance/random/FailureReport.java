package io.hasp.conformance.random;

import io.hasp.conformance.Timings;
import io.hasp.conformance.history.Check;
import io.hasp.conformance.history.Checks;
import io.hasp.conformance.history.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what is wrong with a run, so that a reader need not run it again. */
final class FailureReport {
    private static final int MOST_FRAMES = 6;
    private static final String OURS = FailureReport.class.getPackageName() + ".";
    private static final int MOST_VIOLATIONS = 10;

    private final String subject;
    private final RandomRun run;
    private final List<RandomCaller> callers;
    private final ServerView server;

    FailureReport(String subject, RandomRun run, List<RandomCaller> callers, ServerView server) {
        this.subject = subject;
        this.run = run;
        this.callers = callers;
        this.server = server;
    }

    /** Ends a run that broke a promise. */
    void throwIfBroken() throws Exception {
        judgeHistory();
        if (!run.violations().isEmpty()) {
            throw failure();
        }
    }

    /** Checks that holders never overlap, tokens grow, and no client waits for a free lock. */
    private void judgeHistory() {
        List<Check> checks = new ArrayList<>(Checks.safety());
        checks.add(Checks.noLostWakeUp(Timings.units(30), Timings.units(30)));
        Verdict verdict = run.log.history().check(checks);
        if (!(verdict instanceof Verdict.Sound)) {
            run.brokenAboveAll(verdict.report());
        }
    }

    AssertionError failure() throws Exception {
        List<String> violations = run.violations();
        StringBuilder text = new StringBuilder("random calls on ")
                .append(subject)
                .append(", ")
                .append(run.plan)
                .append(". Repeat it with -Dhasp.seed=")
                .append(run.plan.seed())
                .append('\n');
        violations.stream()
                .limit(MOST_VIOLATIONS)
                .forEach(violation -> text.append("* ").append(violation).append('\n'));
        for (RandomCaller caller : callers) {
            if (caller.thread.isAlive()) {
                text.append(waiting(caller));
            }
        }
        for (String lock : run.locks()) {
            text.append("the server has at '")
                    .append(lock)
                    .append("': ")
                    .append(server.at(lock))
                    .append('\n');
        }
        text.append("calls of each thread in order, in milliseconds since the beginning:\n");
        callers.forEach(caller -> text.append(caller.calls));
        return new AssertionError(text.toString());
    }

    private String waiting(RandomCaller caller) {
        long since = System.nanoTime() - caller.calls.changedAt();
        return "* waits for " + since / 1_000_000 + " ms: " + caller.calls.current() + "\n"
                + Stream.of(caller.thread.getStackTrace())
                        .filter(frame -> frame.getClassName().startsWith("io.hasp."))
                        .filter(frame -> !frame.getClassName().startsWith(OURS))
                        .limit(MOST_FRAMES)
                        .map(frame -> "      at " + frame + "\n")
                        .collect(Collectors.joining());
    }
}
