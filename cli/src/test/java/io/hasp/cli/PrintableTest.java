package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void text_stays_as_it_is() {
        assertThat(Printable.text("größe \ud83d\udd12 a/b")).isEqualTo("größe \ud83d\udd12 a/b");
    }

    @Test
    void whatever_moves_hides_or_breaks_is_escaped() {
        assertThat(Printable.text("a\u0000\u009b\u2028\u202e\u200b\ud800b\udc00"))
                .isEqualTo("a\\u0000\\u009b\\u2028\\u202e\\u200b\\ud800b\\udc00");
    }
}
