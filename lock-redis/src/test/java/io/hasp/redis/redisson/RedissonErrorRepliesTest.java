package io.hasp.redis.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.script.ErrorReplyException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisException;

/** Error replies of the server, told from failures of Redisson's own. */
class RedissonErrorRepliesTest {
    private static final String SERVER = "redis://lock.example:6379";

    @Test
    void a_refused_connection_is_no_error_reply() {
        RedisException refused = new RedisException(
                "Unexpected exception while processing command", new ConnectException("Connection refused"));
        assertThat(RedissonFailures.isErrorReply(refused)).isFalse();
        assertThat(RedissonFailures.ofCommand(SERVER, refused)).isNotInstanceOf(ErrorReplyException.class);
    }

    @Test
    void the_text_of_an_error_reply_ends_before_what_redisson_adds() {
        RedisException reply = new RedisException("NOPERM no permission. channel: [id: 1] command: (EVAL)");
        assertThat(RedissonFailures.ofCommand(SERVER, reply)).hasMessage("NOPERM no permission");
    }
}
