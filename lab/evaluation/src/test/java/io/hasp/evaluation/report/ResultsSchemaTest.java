package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A written file has the fields of {@code docs/results.md}, with the types given there, and no others. */
class ResultsSchemaTest {
    private static final Pattern FIELD =
            Pattern.compile("\\| `([a-z_.\\[\\]*]+)` \\| (text|number|whole|yes/no) \\|.*");

    @Test
    void the_documentation_tells_each_field_and_its_type() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        for (String line : Files.readAllLines(GuaranteesMaker.ROOT.resolve("docs/results.md"))) {
            Matcher field = FIELD.matcher(line);
            if (field.matches()) {
                documented.put(field.group(1), field.group(2));
            }
        }
        Map<String, String> found = new TreeMap<>();
        collect("", ResultsFolder.json().valueToTree(RealRun.withGaps()), found);

        assertThat(found).isEqualTo(documented);
    }

    @Test
    void the_documentation_names_the_version() throws IOException {
        assertThat(Files.readString(GuaranteesMaker.ROOT.resolve("docs/results.md")))
                .contains(ResultsDocument.SCHEMA);
    }

    private static void collect(String path, JsonNode node, Map<String, String> found) {
        if (node.isArray()) {
            node.forEach(each -> collect(path + "[]", each, found));
        } else if (path.equals("machine.versions")) {
            node.forEach(each -> collect(path + ".*", each, found));
        } else if (node.isObject()) {
            node.properties()
                    .forEach(each -> collect(
                            path.isEmpty() ? each.getKey() : path + "." + each.getKey(), each.getValue(), found));
        } else {
            found.put(path, type(node));
        }
    }

    private static String type(JsonNode node) {
        if (node.isBoolean()) {
            return "yes/no";
        }
        if (node.isTextual()) {
            return "text";
        }
        return node.isIntegralNumber() ? "whole" : "number";
    }
}
