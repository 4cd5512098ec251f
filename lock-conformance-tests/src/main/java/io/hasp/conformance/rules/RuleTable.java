package io.hasp.conformance.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Notes how each rule went for each subject, holds every adopter to its pinned skips, and ends the run with a table of
 * rules and subjects, printed and kept in {@code target/conformance.txt}.
 */
final class RuleTable implements BeforeEachCallback, AfterEachCallback, AfterAllCallback, TestWatcher {
    private static final Namespace HERE = Namespace.create(RuleTable.class);
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(HERE).put("start", System.nanoTime());
        column(context).subject = group(context).subject().name();
        column(context).pinned = group(context).skips();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        long start = context.getStore(HERE).getOrDefault("start", Long.class, System.nanoTime());
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        column(context).seconds.put(rule(context), String.format(Locale.ROOT, "%.1f s", seconds));
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        note(context, "held");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        note(context, "BROKEN");
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        column(context).skipped.add(rule(context));
        note(context, "skipped: " + cause.getMessage());
    }

    private static void note(ExtensionContext context, String outcome) {
        Column column = column(context);
        String seconds = column.seconds.getOrDefault(rule(context), "");
        column.outcomes.put(rule(context), outcome.startsWith("skipped") ? outcome : outcome + ", " + seconds);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Column column = column(context);
        Set<String> expected = new TreeSet<>(column.pinned);
        expected.retainAll(column.outcomes.keySet());
        if (!expected.equals(column.skipped)) {
            throw new AssertionError("rules skipped for " + column.subject + ": " + column.skipped
                    + "\nbut pinned as skipped: " + expected);
        }
    }

    private static RuleGroup group(ExtensionContext context) {
        return (RuleGroup) context.getRequiredTestInstance();
    }

    private static String rule(ExtensionContext context) {
        return context.getTestMethod().map(Method::getName).orElseThrow();
    }

    private static Column column(ExtensionContext context) {
        Table table =
                context.getRoot().getStore(HERE).getOrComputeIfAbsent(Table.class, key -> new Table(), Table.class);
        return table.columns.computeIfAbsent(context.getRequiredTestClass().getName(), name -> new Column());
    }

    private static final class Column {
        final Map<String, String> outcomes = new TreeMap<>();
        final Map<String, String> seconds = new TreeMap<>();
        final Set<String> skipped = new TreeSet<>();
        String subject = "";
        Set<String> pinned = Set.of();
    }

    /** JUnit closes it when the whole run has ended. */
    private static final class Table implements AutoCloseable {
        final Map<String, Column> columns = new TreeMap<>();

        @Override
        public void close() {
            String text = text();
            System.out.println(text);
            Path target = Path.of("target");
            if (Files.isDirectory(target)) {
                try {
                    Files.writeString(target.resolve("conformance.txt"), text);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        private String text() {
            Set<String> rules = new TreeSet<>();
            columns.values().forEach(column -> rules.addAll(column.outcomes.keySet()));
            StringBuilder text = new StringBuilder("Rules and subjects\n");
            for (String rule : rules) {
                text.append('\n').append(rule.replace('_', ' ')).append('\n');
                for (Column column : columns.values()) {
                    Optional.ofNullable(column.outcomes.get(rule))
                            .ifPresent(outcome ->
                                    text.append(String.format(Locale.ROOT, "    %-28s %s%n", column.subject, outcome)));
                }
            }
            return text.toString();
        }
    }
}
