package io.hasp.conformance.rules.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuleReportTest {
    /** A class that is left to another tier as a whole has no rules in this one. */
    @Test
    void a_run_without_rules_has_an_empty_file_and_an_empty_table() {
        String text = RuleReport.text(List.of());
        assertThat(text).isEmpty();
        assertThat(RuleReport.table(text.lines().toList())).isEqualTo("Rules and subjects\n");
    }

    @Test
    void each_rule_has_a_line_in_the_file() {
        List<String> lines = List.of("me1_a\tlock\theld\t\t0.1", "me2_b\tlock\tskipped\twhy\t0.0");
        assertThat(RuleReport.text(lines).lines().toList()).isEqualTo(lines);
    }
}
