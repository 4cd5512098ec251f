package io.hasp.conformance.rules.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Collects the outcome of each rule for each subject of one run. At the end of the run it prints a table and writes a
 * file of tab-separated values for programs. The file is {@code target/conformance/rules.tsv}, or the one that the
 * system property {@code hasp.conformance.report} names. All such files of a folder are combined in the
 * {@code table.txt} beside them, so that the modules of a build can share one folder.
 */
final class RuleReport implements AutoCloseable {
    private static final String PROPERTY = "hasp.conformance.report";

    /** The outcome of a rule, with its word in both files. */
    enum Outcome {
        HELD("held"),
        BROKEN("BROKEN"),
        /** No answer within the patience: also broken, but no call returned a wrong answer. */
        LATE("late"),
        SKIPPED("skipped"),
        NOT_HERE("not possible here"),
        LEFT("left to another tier");

        final String word;

        Outcome(String word) {
            this.word = word;
        }
    }

    /** The outcome of one rule for one subject; the reason is empty if the rule held. */
    record Entry(Outcome outcome, String reason, double seconds) {}

    /** The outcomes of one adopter's rules. Thread-safe. */
    static final class Column {
        final Map<String, Entry> entries = new ConcurrentSkipListMap<>();
        volatile String subject = "";
        volatile Set<String> pinned = Set.of();

        String reason(String rule) {
            Entry entry = entries.get(rule);
            return entry == null ? "" : entry.reason();
        }

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

    /** Of all runs in this JVM: Surefire makes one of each class where it has several JVMs, and they share a file. */
    private static final Map<String, Column> ALL = new ConcurrentSkipListMap<>();

    private final Map<String, Column> columns = new ConcurrentSkipListMap<>();

    Column column(String adopter) {
        Column column = columns.computeIfAbsent(adopter, name -> new Column());
        ALL.put(adopter, column);
        return column;
    }

    @Override
    public void close() {
        System.out.println(table(lines(columns)));
        List<String> lines = lines(ALL);
        Path report = Path.of(System.getProperty(PROPERTY, "target/conformance/rules.tsv"));
        try {
            Path folder = Files.createDirectories(report.toAbsolutePath().getParent());
            write(report, text(lines));
            try (Stream<Path> reports = Files.list(folder)) {
                List<String> all = new ArrayList<>();
                for (Path one :
                        reports.filter(file -> file.toString().endsWith(".tsv")).toList()) {
                    all.addAll(Files.readAllLines(one));
                }
                write(folder.resolve("table.txt"), table(all));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing where a class was left out as a whole. */
    static String text(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** At once: modules that are tested at the same time read each other's files. */
    private static void write(Path file, String text) throws IOException {
        Path draft = Files.createTempFile(file.toAbsolutePath().getParent(), "draft", ".tmp");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Each line: rule, subject, outcome, reason, seconds. */
    private static List<String> lines(Map<String, Column> columns) {
        List<String> lines = new ArrayList<>();
        for (Column column : columns.values()) {
            column.entries.forEach((rule, entry) -> lines.add(String.join(
                    "\t",
                    rule,
                    column.subject,
                    entry.outcome().word,
                    entry.reason().replaceAll("\\s+", " "),
                    String.format(Locale.ROOT, "%.1f", entry.seconds()))));
        }
        return lines;
    }

    static String table(List<String> lines) {
        SortedMap<String, SortedSet<String>> byRule = new TreeMap<>();
        for (String line : lines) {
            String[] cells = line.split("\t", -1);
            boolean asked = Stream.of(Outcome.HELD, Outcome.BROKEN, Outcome.LATE)
                    .anyMatch(outcome -> outcome.word.equals(cells[2]));
            String how = asked ? cells[2] + ", " + cells[4] + " s" : cells[2] + ": " + cells[3];
            byRule.computeIfAbsent(cells[0].replace('_', ' '), rule -> new TreeSet<>())
                    .add(String.format(Locale.ROOT, "    %-28s %s%n", cells[1], how));
        }
        StringBuilder text = new StringBuilder("Rules and subjects\n");
        byRule.forEach(
                (rule, subjects) -> text.append('\n').append(rule).append('\n').append(String.join("", subjects)));
        return text.toString();
    }
}
