package io.hasp.zookeeper.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data of nodes. */
class NodeLabelTest {
    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders-7f9c", "a|b", "|", "%", "%7C", "%25", "a|returns", "x|czxid=7", "ä 😀", "1|", " "})
    void every_label_is_read_as_it_was_written(String label) {
        assertThat(NodeLabel.parse(text(NodeLabel.of(label)))).isEqualTo(new NodeLabel(label, false, 0));
        assertThat(NodeLabel.parse(text(NodeLabel.returning(label)))).isEqualTo(new NodeLabel(label, true, 0));
        assertThat(NodeLabel.parse(text(NodeLabel.lowered(label, 77)))).isEqualTo(new NodeLabel(label, false, 77));
        assertThat(NodeLabel.returns(NodeLabel.of(label))).isFalse();
        assertThat(NodeLabel.returns(NodeLabel.returning(label))).isTrue();
    }

    @Test
    void a_claim_without_a_label_shows_the_process() {
        String process = NodeLabel.parse(text(NodeLabel.of(""))).text();
        assertThat(process).startsWith(ProcessHandle.current().pid() + "@");
        assertThat(text(NodeLabel.of(""))).isEqualTo("1|" + process);
        assertThat(text(NodeLabel.returning(""))).isEqualTo("1|" + process + "|returns");
    }

    @Test
    void data_of_earlier_versions_is_read() {
        assertThat(NodeLabel.parse("1|4711@web-3")).isEqualTo(new NodeLabel("4711@web-3", false, 0));
        assertThat(NodeLabel.parse("1|4711@web-3|returns")).isEqualTo(new NodeLabel("4711@web-3", true, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "2|other", "readme", "|returns"})
    void other_data_has_no_label(String data) {
        assertThat(NodeLabel.parse(data)).isEqualTo(new NodeLabel("", false, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1|a|czxid=", "1|a|czxid=-3", "1|a|czxid=x", "1|a|czxid=99999999999999999999"})
    void a_number_that_is_none_is_ignored(String data) {
        assertThat(NodeLabel.parse(data)).isEqualTo(new NodeLabel("a", false, 0));
    }

    @Test
    void unknown_fields_are_ignored() {
        assertThat(NodeLabel.parse("1|a|later=1|czxid=5|more|returns")).isEqualTo(new NodeLabel("a", true, 5));
    }
}
