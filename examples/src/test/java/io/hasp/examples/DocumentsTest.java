package io.hasp.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents can be trusted: their links lead somewhere, and what they name exists. {@link SnippetsTest} runs their code. */
class DocumentsTest {
    private static final Path ROOT = Documents.ROOT;
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern LINK =
            Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)|^\\[[^\\]]+]: (\\S+)$", Pattern.MULTILINE);
    private static final Pattern RULE = Pattern.compile("\\b(?:ME|OW|FE|LI|LE|FA|ZK|AP|RW|PE)\\d+\\b");
    /** A rule in brackets, which a definition elsewhere in the document makes a link. */
    private static final Pattern RULE_AS_LINK = Pattern.compile("\\[(" + RULE + ")](?![:(])");
    /** The name of a test: four words or more, or the first ones of them. */
    private static final Pattern TEST = Pattern.compile("`[a-z0-9]+(?:_[a-z0-9]+){3,}`|`[a-z0-9]+(?:_[a-z0-9]+)*_…`");
    /** The column of what stands for a call of another library. */
    private static final Pattern CALL_HERE = Pattern.compile("^\\| [^|]+ \\|([^|]+)\\|", Pattern.MULTILINE);

    private static final Pattern CODE = Pattern.compile("`([^`]+\\))`");

    /** The test that runs each call of docs/migrating.md. */
    private static final Path CALLS = Path.of("src/test/java/io/hasp/examples/OtherLibrariesTest.java");

    /** A fault in docs/internals/found.md: its fix, its finder and its test. */
    private static final Pattern FAULT =
            Pattern.compile("^\\| .+ \\| \\d+ \\| \\d+, `[0-9a-f]{8}` \\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);

    private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w+)`(?:: `(\\w+)`)?");
    private static final Pattern FAULTS_OF_A_FINDER =
            Pattern.compile("^\\| [^|]+ \\| [^|]+ \\| (\\d+) \\|$", Pattern.MULTILINE);

    /** All Java code of this project. */
    private static final List<String> SOURCES = sources();

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface) (\\w+)");
    private static final Map<String, List<String>> SOURCES_OF = sourcesOfTypes();

    static List<Path> documents() throws IOException {
        return Documents.all();
    }

    @Test
    void every_call_that_replaces_another_librarys_is_run() throws IOException {
        Matcher cell = CALL_HERE.matcher(Files.readString(ROOT.resolve("docs/migrating.md")));
        List<String> calls = new ArrayList<>();
        while (cell.find()) {
            CODE.matcher(cell.group(1)).results().map(code -> code.group(1)).forEach(calls::add);
        }
        String run = Documents.read(CALLS).replaceAll("\\s", "");
        assertThat(calls)
                .hasSizeGreaterThan(20)
                .allSatisfy(call -> assertThat(run).contains(call.replace(" ", "")));
    }

    /** The gate reads its command from there: one that stands within a sentence is none. */
    @Test
    void the_readme_names_the_test_command_on_a_line_of_its_own() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("README.md"))).containsOnlyOnce("mvn verify");
    }

    @Test
    void the_coordinates_on_the_first_screen_are_those_of_this_build() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        Matcher version =
                Pattern.compile("<revision>([^<]+)</revision>").matcher(Files.readString(ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        assertThat(readme)
                .contains("<groupId>io.hasp</groupId>", "<version>" + version.group(1) + "</version>")
                .contains("version `" + version.group(1) + "`");
        for (String module : List.of("lock-redis", "lock-zookeeper", "lock-memory")) {
            assertThat(readme).contains(module);
            assertThat(ROOT.resolve(module).resolve("pom.xml")).exists();
        }
        assertThat(readme.lines().takeWhile(line -> !line.startsWith("## ")).count())
                .as("lines of the first screen")
                .isLessThan(70);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_rule_that_is_quoted_is_in_the_specification(Path document) throws IOException {
        String rules = Files.readString(ROOT.resolve("SPEC.md"));
        assertThat(RULE.matcher(Files.readString(document)).results().map(MatchResult::group))
                .allSatisfy(rule -> assertThat(rules).contains("\n| " + rule + " |"));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_test_that_is_named_exists(Path document) throws IOException {
        assertThat(TEST.matcher(Files.readString(document))
                        .results()
                        .map(quoted -> quoted.group().replaceAll("[`…]", ""))
                        .map(name -> name.endsWith("_") ? name : name + "("))
                .allSatisfy(name -> assertThat(SOURCES).anyMatch(source -> source.contains(" void " + name)));
    }

    @Test
    void every_fault_that_was_found_names_its_finder_and_a_test_that_exists_or_why_there_is_none() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/internals/found.md"));
        List<MatchResult> faults = FAULT.matcher(page).results().toList();
        assertThat(page).contains("**" + faults.size() + " faults** in all");
        assertThat(FAULTS_OF_A_FINDER
                        .matcher(page)
                        .results()
                        .mapToInt(row -> Integer.parseInt(row.group(1)))
                        .sum())
                .isEqualTo(faults.size());
        assertThat(faults).allSatisfy(DocumentsTest::assertNamesItsFinderAndTest);
    }

    private static void assertNamesItsFinderAndTest(MatchResult fault) {
        assertThat(fault.group(1)).isNotBlank().doesNotContain("–", "not recorded");
        assertThat(fault.group(2)).isNotBlank().doesNotStartWith("–");
        assertThat(TEST_CLASS
                        .matcher(fault.group(2))
                        .results()
                        .filter(test -> !exists(test))
                        .map(MatchResult::group))
                .as("tests that do not exist")
                .isEmpty();
    }

    private static boolean exists(MatchResult test) {
        return SOURCES_OF.getOrDefault(test.group(1), List.of()).stream()
                .anyMatch(source -> test.group(2) == null || source.contains(" void " + test.group(2) + "("));
    }

    /** The sources by the types that they declare. */
    private static Map<String, List<String>> sourcesOfTypes() {
        Map<String, List<String>> all = new HashMap<>();
        for (String source : SOURCES) {
            TYPE.matcher(source)
                    .results()
                    .map(type -> type.group(1))
                    .distinct()
                    .forEach(type ->
                            all.computeIfAbsent(type, any -> new ArrayList<>()).add(source));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_link_leads_somewhere(Path document) throws IOException {
        String text = Files.readString(document);
        Matcher link = LINK.matcher(text);
        List<String> dead = new ArrayList<>();
        while (link.find()) {
            String target = link.group(1) != null ? link.group(1) : link.group(2);
            if (!target.contains("://") && !resolves(document, target)) {
                dead.add(target);
            }
        }
        RULE_AS_LINK
                .matcher(text)
                .results()
                .map(rule -> "[" + rule.group(1) + "]")
                .filter(rule -> !text.contains("\n" + rule + ": "))
                .forEach(dead::add);
        assertThat(dead).as("dead links in " + ROOT.relativize(document)).isEmpty();
    }

    private static boolean resolves(Path document, String target) throws IOException {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? document : document.resolveSibling(path);
        if (!Files.exists(file)) {
            return false;
        }
        return hash < 0 || anchors(file).contains(target.substring(hash + 1));
    }

    /** As web sites make them of headings. */
    private static List<String> anchors(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    /** Excludes what builds write: those files come and go while other modules are built. */
    private static List<String> sources() {
        return MODULE.matcher(Documents.read(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> ROOT.resolve(module.group(1)).resolve("src"))
                .filter(Files::isDirectory)
                .flatMap(folder -> sources(folder).stream())
                .toList();
    }

    private static List<String> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(Documents::read)
                    .map(Documents::normal)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
