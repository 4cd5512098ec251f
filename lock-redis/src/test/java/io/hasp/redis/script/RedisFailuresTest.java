package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class RedisFailuresTest {
    /** As Netty's resolver says it, which Lettuce uses. */
    @Test
    void an_unknown_host_is_named_whatever_the_resolver_says_about_it() {
        UnknownHostException unknown = new UnknownHostException("Failed to resolve 'lock.example'");
        unknown.initCause(new IllegalStateException("Query failed with NXDOMAIN"));
        assertThat(RedisFailures.unreachable("redis://lock.example:6379", new IllegalStateException(unknown)))
                .hasMessageContaining("unknown host Failed to resolve 'lock.example'");
    }
}
