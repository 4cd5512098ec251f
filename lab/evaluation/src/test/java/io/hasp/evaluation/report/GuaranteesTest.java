package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.conformance.Tier;
import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.Guarantees.Rule;
import io.hasp.evaluation.report.Guarantees.RuleTest;
import io.hasp.evaluation.report.ResultsDocument.SuiteRun;
import io.hasp.evaluation.subject.Subject;
import io.hasp.evaluation.subject.Subject.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuaranteesTest {
    private static final Guarantees SHIPPED = Guarantees.shipped();

    /** Variants of others. */
    private static final String NOT_ADOPTED = "hasp-.*-kept";

    @Test
    void each_rule_says_what_the_specification_says() throws IOException {
        Map<String, String> specification = GuaranteesMaker.sentences(GuaranteesMaker.ROOT.resolve("SPEC.md"));

        assertThat(SHIPPED.rules())
                .isNotEmpty()
                .allSatisfy(rule -> assertThat(specification).containsEntry(rule.id(), rule.sentence()));
    }

    @Test
    void each_outcome_is_about_a_test_of_a_rule_that_is_where_the_file_says() {
        List<String> names = SHIPPED.rules().stream()
                .flatMap(rule -> rule.tests().stream())
                .map(RuleTest::name)
                .toList();

        assertThat(SHIPPED.outcomes()).extracting(Guarantee::rule).isSubsetOf(names);
        assertThat(SHIPPED.rules())
                .flatExtracting(Rule::tests)
                .allSatisfy(test -> assertThat(Files.readString(GuaranteesMaker.ROOT.resolve(test.source())))
                        .contains("void " + test.name() + "("));
    }

    @Test
    void every_lock_of_the_comparison_that_the_suite_adopts_has_outcomes_and_every_fault_a_reason() {
        Stream.of(Subject.values())
                .filter(each -> each.role() != Role.BASELINE)
                .map(Subject::label)
                .filter(label -> !label.matches(NOT_ADOPTED))
                .forEach(label -> assertThat(SHIPPED.of(label)).as(label).hasSizeGreaterThan(10));
        assertThat(SHIPPED.outcomes())
                .filteredOn(each -> each.outcome() != Outcome.HELD)
                .allSatisfy(each -> assertThat(each.reason()).as(each.rule()).isNotBlank());
    }

    @Test
    void it_is_stamped() {
        assertThat(SHIPPED.commit()).matches("[0-9a-f]{7,40}");
        assertThat(SHIPPED.date()).matches("\\d{4}-\\d\\d-\\d\\d");
        assertThat(SHIPPED.tier()).isIn("standard", "full");
    }

    @Test
    @EnabledIfSystemProperty(named = "hasp.release", matches = "true", disabledReason = "asked of a release: -Prelease")
    void a_release_has_the_guarantees_of_its_own_sources() throws IOException {
        assertThat(SHIPPED.sources())
                .as("the locks' sources that the suite was run on; docs/results.md says how to make the file anew")
                .isEqualTo(LockSources.hash(GuaranteesMaker.ROOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock-redis", "lock-postgres"})
    void a_changed_source_is_told_in_red(String changedModule, @TempDir Path home) throws IOException {
        Path source = home.resolve(changedModule + "/src/main/java/A.java");
        for (String module : LockSources.MODULES) {
            Files.createDirectories(home.resolve(module).resolve("src/main/java"));
        }
        Files.writeString(source, "class A {}");
        String then = LockSources.hash(home);
        Guarantees found = new Guarantees("abcdef0", "2026-11-21", "full", then, List.of(), List.of());
        Files.writeString(source, "class A { int a; }");
        SuiteRun changed = SuiteRun.of(found, LockSources.hash(home));

        assertThat(SuiteRun.of(found, then).alarm()).isEmpty();
        assertThat(SuiteRun.of(found, LockSources.UNKNOWN).state()).isEqualTo("unknown");
        assertThat(changed.state()).isEqualTo("changed");
        assertThat(changed.alarm()).contains("out of date", "abcdef0");
        assertThat(RealRun.html(RealRun.of(changed)))
                .contains("<p class=\"alarm\" role=\"alert\"><strong class=\"broken\">The guarantees are out of date");
    }

    @Test
    void what_a_lock_does_not_claim_is_told_from_what_could_not_be_asked(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.tsv"), """
                me2_second_client_is_refused_while_first_holds\thasp-zookeeper\theld\t\t0.1
                fe1_tokens_increase_strictly\tredisson-rlock\tskipped\tFENCING_TOKEN is not claimed\t0.0
                li6_none_of_fifty_waiters_starves\tspring-redis\tBROKEN\tsomebody starved\t0.0
                fa11_server_that_is_down_is_an_exception_and_never_busy\tspring-redis-timeout\tlate\tno answer\t0.0
                ap5_virtual_threads_all_get_their_turn\thasp-zookeeper\tnot possible here\tJava 17\t0.0
                me2_second_client_is_refused_while_first_holds\tlocal\theld\t\t0.1
                """);

        Guarantees made = GuaranteesMaker.of(folder, "standard");

        assertThat(made.outcomes())
                .extracting(Guarantee::subject, Guarantee::outcome)
                .containsExactlyInAnyOrder(
                        tuple("hasp-zookeeper", Outcome.HELD),
                        tuple("redisson-rlock", Outcome.NOT_OFFERED),
                        tuple("spring-redis", Outcome.BROKEN),
                        tuple("spring-redis-timeout", Outcome.LATE),
                        tuple("hasp-zookeeper", Outcome.NOT_TESTED));
        assertThat(made.rules()).extracting(Rule::id).containsExactly("ME2", "FE1", "LI6", "FA11", "AP5");
    }

    @Test
    void what_was_found_about_other_locks_stays_while_their_sources_are_the_same(@TempDir Path folder)
            throws IOException {
        Files.writeString(folder.resolve("a.tsv"), "fe1_tokens_increase_strictly\thasp-redis-jedis\theld\t\t0.1\n");
        Guarantees made = GuaranteesMaker.of(folder, "full");
        List<Guarantee> before = Stream.of(
                        "hasp-redis-jedis", "hasp-redlock", "hasp-zookeeper-ensemble", "redisson-rlock")
                .map(lock -> new Guarantee("fe1_tokens_increase_strictly", lock, Outcome.BROKEN, "7 after 8"))
                .toList();
        UnaryOperator<String> changed = module -> made.sources().replaceAll(module + "=\\w+", module + "=0");
        Function<String, List<String>> kept = sources -> {
            Guarantees earlier = new Guarantees("abcdef0", "2026-11-21", "standard", sources, List.of(), before);
            return merged(earlier, made).outcomes().stream()
                    .filter(each -> each.outcome() == Outcome.BROKEN)
                    .map(Guarantee::subject)
                    .toList();
        };

        assertThat(kept.apply(made.sources()))
                .containsExactly("hasp-redlock", "hasp-zookeeper-ensemble", "redisson-rlock");
        assertThat(kept.apply(changed.apply("lock-redis")))
                .containsExactly("hasp-zookeeper-ensemble", "redisson-rlock");
        assertThat(kept.apply(changed.apply("lock-api")))
                .as("peers have none of Hasp's sources")
                .containsExactly("redisson-rlock");
        Guarantees same = new Guarantees("abcdef0", "2026-11-21", "standard", made.sources(), List.of(), before);
        assertThat(merged(same, made).tier()).as("the lower one").isEqualTo("standard");
    }

    private static Guarantees merged(Guarantees earlier, Guarantees made) {
        try {
            return GuaranteesMaker.with(earlier, made);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code docs/results.md} says when and how. */
    @Test
    @EnabledIfSystemProperty(named = GuaranteesMaker.PROPERTY, matches = ".+", disabledReason = "docs/results.md")
    void the_file_is_made_anew_from_the_tables_of_a_run() throws IOException {
        Path folder = GuaranteesMaker.ROOT.resolve(System.getProperty(GuaranteesMaker.PROPERTY));

        Guarantees made = GuaranteesMaker.of(folder, Tier.current().toString());
        GuaranteesMaker.write(GuaranteesMaker.with(SHIPPED, made));
    }
}
