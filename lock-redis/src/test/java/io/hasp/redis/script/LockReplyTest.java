package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LockReplyTest {
    @Test
    void the_common_grant_and_one_without_a_mark_differ() {
        assertThat(LockReply.parse("GRANTED|1764282937123456"))
                .isEqualTo(new LockReply.Granted(1_764_282_937_123_456L, false));
        assertThat(LockReply.parse("GRANTED|9007199254740991"))
                .isEqualTo(new LockReply.Granted(9_007_199_254_740_991L, false));
        assertThat(LockReply.parse("GRANTED|7|W")).isEqualTo(new LockReply.Granted(7, true));
    }

    @Test
    void a_refusal_has_the_fields_that_the_script_knows() {
        assertThat(LockReply.parse("BUSY||500"))
                .isEqualTo(new LockReply.Busy("", Duration.ofMillis(500), OptionalLong.empty(), false, false));
        assertThat(LockReply.parse("BUSY||1||^"))
                .isEqualTo(new LockReply.Busy("", Duration.ofMillis(1), OptionalLong.empty(), true, false));
        assertThat(LockReply.parse("BUSY|12|500|34|^~"))
                .isEqualTo(new LockReply.Busy("12", Duration.ofMillis(500), OptionalLong.of(34), true, true));
        assertThat(LockReply.parse("GONE")).isEqualTo(new LockReply.Gone());
    }
}
