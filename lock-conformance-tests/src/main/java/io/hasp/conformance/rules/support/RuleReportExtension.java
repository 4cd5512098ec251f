package io.hasp.conformance.rules.support;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.EnvironmentMissingException;
import io.hasp.conformance.processes.IdleClientProcesses;
import io.hasp.conformance.rules.support.RuleReport.Column;
import io.hasp.conformance.rules.support.RuleReport.Entry;
import io.hasp.conformance.rules.support.RuleReport.Outcome;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.TestAbortedException;

/**
 * Records each rule's outcome for each subject in the run's {@link RuleReport}, and compares the skips with the
 * adopter's pinned ones. Pinned are skips for missing claims and missing faults, not those for a lack of the machine or
 * for another tier. Later rules reuse client processes.
 */
final class RuleReportExtension
        implements BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                TestExecutionExceptionHandler,
                TestWatcher {
    private static final Namespace HERE = Namespace.create(RuleReportExtension.class);
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(HERE)
                .getOrComputeIfAbsent(IdleClientProcesses.class, key -> IdleClientProcesses.keep());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(HERE).put("start", System.nanoTime());
        column(context).subject = group(context).subject().name();
        column(context).pinned = group(context).skips();
        if (left(context)) {
            throw new TestAbortedException("left to the " + least(context) + " tier: mvn verify -P" + least(context));
        }
    }

    private static boolean left(ExtensionContext context) {
        return !Tier.includes(least(context));
    }

    private static Tier least(ExtensionContext context) {
        return group(context).tierOf(rule(context));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        context.getStore(HERE).put("end", System.nanoTime());
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable cause) throws Throwable {
        if (cause instanceof TestAbortedException || cause instanceof LateAnswer) {
            throw cause;
        }
        throw new BrokenRule(
                cause, column(context).subject, context.getRequiredTestClass().getSimpleName(), rule(context));
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        note(context, Outcome.HELD, "");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable failure) {
        Throwable cause = failure instanceof BrokenRule broken ? broken.reason : failure;
        Outcome outcome = LateAnswer.isReasonOf(failure) ? Outcome.LATE : Outcome.BROKEN;
        note(context, outcome, cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        Outcome outcome = left(context)
                ? Outcome.LEFT
                : cause instanceof EnvironmentMissingException ? Outcome.NOT_HERE : Outcome.SKIPPED;
        note(context, outcome, String.valueOf(cause.getMessage()));
    }

    private static void note(ExtensionContext context, Outcome outcome, String reason) {
        long now = System.nanoTime();
        long start = context.getStore(HERE).getOrDefault("start", Long.class, now);
        long end = context.getStore(HERE).getOrDefault("end", Long.class, now);
        column(context).entries.put(rule(context), new Entry(outcome, reason, (end - start) / NANOS_PER_SECOND));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Column column = column(context);
        Set<String> expected = new TreeSet<>(column.pinned);
        expected.retainAll(column.entries.keySet());
        expected.removeAll(column.rules(Outcome.NOT_HERE));
        expected.removeAll(column.rules(Outcome.LEFT));
        Set<String> skipped = column.rules(Outcome.SKIPPED);
        skipped.removeIf(rule -> column.pinned.contains(column.reason(rule)));
        if (!expected.equals(skipped)) {
            throw new AssertionError(
                    "rules skipped for " + column.subject + ": " + skipped + "\nbut pinned as skipped: " + expected);
        }
    }

    private static RuleGroup group(ExtensionContext context) {
        return (RuleGroup) context.getRequiredTestInstance();
    }

    private static String rule(ExtensionContext context) {
        return context.getTestMethod().map(Method::getName).orElseThrow();
    }

    private static Column column(ExtensionContext context) {
        RuleReport report = context.getRoot()
                .getStore(HERE)
                .getOrComputeIfAbsent(RuleReport.class, key -> new RuleReport(), RuleReport.class);
        return report.column(context.getRequiredTestClass().getName());
    }
}
