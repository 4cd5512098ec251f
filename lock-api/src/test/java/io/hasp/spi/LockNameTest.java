package io.hasp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockNameTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", " ", "/", "..", "{x}", "}", "%", "a b", "\n", "é", "日本", "🔒", "orders/42"})
    void ap4_any_text_is_a_name(String text) {
        assertThat(new LockName(text).value()).isEqualTo(text);
    }

    @Test
    void ap4_512_bytes_are_allowed_and_513_are_not() {
        assertThat(new LockName("é".repeat(256)).value()).hasSize(256);
        assertThatThrownBy(() -> new LockName("é".repeat(256) + "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("513 UTF-8 bytes")
                .hasMessageContaining("at most 512");
    }

    @Test
    void ap4_empty_nul_and_lone_surrogates_are_refused_by_name_and_rule() {
        assertThatThrownBy(() -> new LockName("")).hasMessageContaining("empty");
        assertThatThrownBy(() -> new LockName("a\0b")).hasMessageContaining("'a\\0b' contains NUL");
        assertThatThrownBy(() -> new LockName("a\ud83d")).hasMessageContaining("lone surrogate");
        assertThatThrownBy(() -> new LockName("\udd12a")).hasMessageContaining("lone surrogate");
    }
}
