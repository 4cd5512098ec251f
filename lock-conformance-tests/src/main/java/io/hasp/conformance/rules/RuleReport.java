package io.hasp.conformance.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How each rule went for each subject of one run. When the run ends it is printed as a table, which is kept in
 * {@code target/conformance.txt}, and for programs in {@code target/conformance.tsv}.
 */
final class RuleReport implements AutoCloseable {
    /** How a rule went, in the words of both files. */
    enum Outcome {
        HELD("held"),
        BROKEN("BROKEN"),
        SKIPPED("skipped"),
        NOT_HERE("not possible here");

        final String word;

        Outcome(String word) {
            this.word = word;
        }
    }

    /** How one rule went for one subject; the reason is empty if it held. */
    record Entry(Outcome outcome, String reason, double seconds) {

        private String text() {
            return switch (outcome) {
                case HELD, BROKEN -> String.format(Locale.ROOT, "%s, %.1f s", outcome.word, seconds);
                case SKIPPED, NOT_HERE -> outcome.word + ": " + reason;
            };
        }
    }

    /** What one adopter's rules came to. */
    static final class Column {
        final Map<String, Entry> entries = new TreeMap<>();
        String subject = "";
        Set<String> pinned = Set.of();

        Set<String> rules(Outcome outcome) {
            Set<String> rules = new TreeSet<>();
            entries.forEach((rule, entry) -> {
                if (entry.outcome() == outcome) {
                    rules.add(rule);
                }
            });
            return rules;
        }
    }

    private final Map<String, Column> columns = new TreeMap<>();

    Column column(String adopter) {
        return columns.computeIfAbsent(adopter, name -> new Column());
    }

    @Override
    public void close() {
        String text = text();
        System.out.println(text);
        Path target = Path.of("target");
        if (Files.isDirectory(target)) {
            try {
                Files.writeString(target.resolve("conformance.txt"), text);
                Files.writeString(target.resolve("conformance.tsv"), lines());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Set<String> rules() {
        Set<String> rules = new TreeSet<>();
        columns.values().forEach(column -> rules.addAll(column.entries.keySet()));
        return rules;
    }

    private String text() {
        StringBuilder text = new StringBuilder("Rules and subjects\n");
        for (String rule : rules()) {
            text.append('\n').append(rule.replace('_', ' ')).append('\n');
            for (Column column : columns.values()) {
                Entry entry = column.entries.get(rule);
                if (entry != null) {
                    text.append(String.format(Locale.ROOT, "    %-28s %s%n", column.subject, entry.text()));
                }
            }
        }
        return text.toString();
    }

    private String lines() {
        StringBuilder lines = new StringBuilder("rule\tsubject\toutcome\treason\tseconds\n");
        for (Column column : columns.values()) {
            column.entries.forEach((rule, entry) -> lines.append(String.format(
                    Locale.ROOT,
                    "%s\t%s\t%s\t%s\t%.3f%n",
                    rule,
                    column.subject,
                    entry.outcome().word,
                    entry.reason().replaceAll("\\s+", " "),
                    entry.seconds())));
        }
        return lines.toString();
    }
}
