package io.hasp.evaluation.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.Guarantees.Rule;
import io.hasp.evaluation.report.Guarantees.RuleTest;
import io.hasp.evaluation.subject.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes {@code guarantees.json} of the tables that a run of the suite leaves in {@code target/conformance}. */
final class GuaranteesMaker {
    /** The folder with the tables, from the root of the repository. */
    static final String PROPERTY = "hasp.guarantees";

    static final Path ROOT = root();

    private static final Path FILE =
            ROOT.resolve("lab/evaluation/src/main/resources/io/hasp/evaluation/report/guarantees.json");
    private static final Pattern LINE = Pattern.compile("\\| ([A-Z]{2}\\d+) \\| ([^|]+) \\|.*");
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern TEST = Pattern.compile("void ([a-z]{2}\\d+_\\w+)\\(");

    private GuaranteesMaker() {}

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Stream.iterate(here, Objects::nonNull, Path::getParent)
                .filter(folder -> Files.exists(folder.resolve("SPEC.md")))
                .findFirst()
                .orElse(here);
    }

    static Guarantees of(Path tables, String tier) throws IOException {
        Set<String> specified = sentences(ROOT.resolve("SPEC.md")).keySet();
        List<Guarantee> outcomes = outcomes(tables).stream()
                .filter(each -> specified.contains(each.id()))
                .toList();
        return new Guarantees(commit(), date(tables), tier, LockSources.hash(ROOT), rules(outcomes), outcomes);
    }

    /**
     * Adds earlier results about locks that this run did not test, if the sources of these locks are the same. The tier is the lower one
     * of both.
     */
    static Guarantees with(Guarantees earlier, Guarantees made) throws IOException {
        Set<String> asked = made.outcomes().stream().map(Guarantee::subject).collect(Collectors.toSet());
        List<Guarantee> others = earlier.outcomes().stream()
                .filter(each -> !asked.contains(each.subject()))
                .filter(each -> LockSources.same(earlier.sources(), made.sources(), modules(each.subject())))
                .toList();
        if (others.isEmpty()) {
            return made;
        }
        List<Guarantee> all = Stream.concat(others.stream(), made.outcomes().stream())
                .sorted(Comparator.comparing(each -> each.rule() + " " + each.subject()))
                .toList();
        String tier = made.tier().equals(earlier.tier()) ? made.tier() : "standard";
        return new Guarantees(made.commit(), made.date(), tier, made.sources(), rules(all), all);
    }

    /** Those that a lock is made of: none of them for a lock of another library. */
    private static List<String> modules(String lock) {
        return Stream.of(Subject.values())
                .filter(each -> each.role() == Subject.Role.HASP && belongs(lock, each.label()))
                .findFirst()
                .map(each -> List.of(
                        "lock-api",
                        switch (each.service()) {
                            case REDIS, REDLOCK -> "lock-redis";
                            case ZOOKEEPER -> "lock-zookeeper";
                            case POSTGRES -> "lock-postgres";
                        }))
                .orElse(List.of());
    }

    static void write(Guarantees guarantees) throws IOException {
        String text = JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsString(guarantees);
        Files.writeString(FILE, text + "\n");
    }

    /** Returns the specification's sentences, by the rules' ids. */
    static Map<String, String> sentences(Path specification) throws IOException {
        Map<String, String> sentences = new LinkedHashMap<>();
        for (String line : Files.readAllLines(specification)) {
            Matcher rule = LINE.matcher(line);
            if (rule.matches()) {
                sentences.put(rule.group(1), rule.group(2).strip());
            }
        }
        return sentences;
    }

    private static List<Guarantee> outcomes(Path tables) throws IOException {
        Map<String, Guarantee> found = new TreeMap<>();
        for (Path table : files(tables, ".tsv")) {
            for (String line : Files.readAllLines(table)) {
                String[] cells = line.split("\t", -1);
                if (belongs(cells[1])) {
                    Guarantee each = new Guarantee(cells[0], cells[1], outcome(cells[2], cells[3]), cells[3]);
                    found.put(cells[0] + " " + cells[1], each);
                }
            }
        }
        return List.copyOf(found.values());
    }

    /** Also variants, such as on an ensemble or with an advised timeout. */
    private static boolean belongs(String subject) {
        return Stream.of(Subject.values()).anyMatch(each -> belongs(subject, each.label()));
    }

    private static boolean belongs(String subject, String label) {
        return subject.equals(label)
                || subject.startsWith(label + "-ensemble")
                || subject.equals(label + Guarantees.ADVISED_TIMEOUT);
    }

    private static Outcome outcome(String word, String reason) {
        return switch (word) {
            case "held" -> Outcome.HELD;
            case "BROKEN" -> Outcome.BROKEN;
            case "late" -> Outcome.LATE;
            default -> reason.contains("is not claimed") ? Outcome.NOT_OFFERED : Outcome.NOT_TESTED;
        };
    }

    private static List<Rule> rules(List<Guarantee> outcomes) throws IOException {
        Map<String, String> sources = sources();
        List<Rule> rules = new ArrayList<>();
        sentences(ROOT.resolve("SPEC.md")).forEach((id, sentence) -> {
            List<RuleTest> tests = outcomes.stream()
                    .filter(each -> each.id().equals(id))
                    .map(Guarantee::rule)
                    .distinct()
                    .map(name -> new RuleTest(name, Objects.requireNonNull(sources.get(name), name)))
                    .toList();
            if (!tests.isEmpty()) {
                rules.add(new Rule(id, sentence, tests));
            }
        });
        return rules;
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Path folder : sourceFolders()) {
            for (Path file : files(folder, ".java")) {
                Matcher test = TEST.matcher(Files.readString(file));
                while (test.find()) {
                    sources.put(test.group(1), ROOT.relativize(file).toString());
                }
            }
        }
        return sources;
    }

    /** Excludes what builds write: those files come and go while other modules are built. */
    private static List<Path> sourceFolders() throws IOException {
        return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> ROOT.resolve(module.group(1)).resolve("src"))
                .filter(Files::isDirectory)
                .toList();
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
        }
    }

    private static String date(Path tables) throws IOException {
        return files(tables, ".tsv").stream()
                .map(GuaranteesMaker::lastModified)
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new IOException("no table of the suite in " + tables));
    }

    private static String lastModified(Path file) {
        try {
            return Files.getLastModifiedTime(file)
                    .toInstant()
                    .atZone(ZoneOffset.UTC)
                    .toLocalDate()
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String commit() throws IOException {
        Process git = new ProcessBuilder("git", "-C", ROOT.toString(), "rev-parse", "--short", "HEAD").start();
        return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }
}
