package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.evaluation.report.Guarantees.Guarantee;
import io.hasp.evaluation.report.Guarantees.Outcome;
import io.hasp.evaluation.report.Guarantees.Rule;
import io.hasp.evaluation.report.Guarantees.RuleTest;
import io.hasp.evaluation.subject.Subject;
import io.hasp.evaluation.subject.Subject.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

class GuaranteesTest {
    /** Locks that the suite has no adopter for. */
    private static final List<String> NOT_ADOPTED = List.of(
            "redisson-redlock", "curator-mutex", "hasp-zookeeper-async", "hasp-redis-kept", "hasp-zookeeper-kept");

    private static final Guarantees SHIPPED = Guarantees.shipped();

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
                .filter(label -> !label.endsWith("-nohandoff") && !NOT_ADOPTED.contains(label))
                .forEach(label -> assertThat(SHIPPED.of(label)).as(label).hasSizeGreaterThan(10));
        assertThat(SHIPPED.outcomes())
                .filteredOn(each -> each.outcome() != Outcome.HELD)
                .allSatisfy(each -> assertThat(each.reason()).as(each.rule()).isNotBlank());
    }

    @Test
    void it_is_stamped() {
        assertThat(SHIPPED.commit()).matches("[0-9a-f]{7,40}");
        assertThat(SHIPPED.date()).matches("\\d{4}-\\d\\d-\\d\\d");
        assertThat(SHIPPED.tier()).isIn("quick", "full");
    }

    @Test
    void what_a_lock_does_not_claim_is_told_from_what_could_not_be_asked(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.tsv"), """
                me2_second_client_is_refused_while_first_holds\thasp-zookeeper\theld\t\t0.1
                fe1_tokens_increase_strictly\tredisson-rlock\tskipped\tFENCING_TOKEN is not claimed\t0.0
                li6_none_of_fifty_waiters_starves\tspring-redis\tBROKEN\tsomebody starved\t0.0
                ap5_virtual_threads_all_get_their_turn\thasp-zookeeper\tnot possible here\tJava 17\t0.0
                me2_second_client_is_refused_while_first_holds\tlocal\theld\t\t0.1
                """);

        Guarantees made = GuaranteesMaker.of(folder, "quick");

        assertThat(made.outcomes())
                .extracting(Guarantee::subject, Guarantee::outcome)
                .containsExactlyInAnyOrder(
                        tuple("hasp-zookeeper", Outcome.HELD),
                        tuple("redisson-rlock", Outcome.NOT_OFFERED),
                        tuple("spring-redis", Outcome.BROKEN),
                        tuple("hasp-zookeeper", Outcome.NOT_TESTED));
        assertThat(made.rules()).extracting(Rule::id).containsExactly("ME2", "FE1", "LI6", "AP5");
    }

    /** {@code docs/results.md} says when and how. */
    @Test
    @EnabledIfSystemProperty(named = GuaranteesMaker.PROPERTY, matches = ".+", disabledReason = "docs/results.md")
    void the_file_is_made_anew_from_the_tables_of_a_run() throws IOException {
        Path folder = GuaranteesMaker.ROOT.resolve(System.getProperty(GuaranteesMaker.PROPERTY));

        GuaranteesMaker.write(GuaranteesMaker.of(folder, System.getProperty("hasp.tier", "quick")));
    }
}
