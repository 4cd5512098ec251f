package io.hasp.redis;

import io.hasp.conformance.HiddenPasswords;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords that are not percent-encoded, of which no message, cause or suppressed exception shows a part. */
class SecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:SECRET@127.0.0.1:1?commandTimeout=20ms",
                "redis://user:SECRET@127.0.0.1:1?commandTimeout=20ms",
                "rediss://:SECRET@127.0.0.1:1?commandTimeout=20ms",
                "redis-sentinel://:SECRET@127.0.0.1:1?sentinelMasterId=m&commandTimeout=20ms",
                "redis-cluster://user:SECRET@127.0.0.1:1?commandTimeout=20ms",
                "redlock://:SECRET@127.0.0.1:1,127.0.0.1:2,127.0.0.1:3?nodeTimeout=20ms",
                "redis:user:SECRET@127.0.0.1:1",
                "redis://:SECRET@under_score:1",
                "redis-sentinel://127.0.0.1:1?sentinelMasterId=m&commandTimeout=20ms&sentinelPassword=SECRET",
                "redlock://:SECRET@no_host,127.0.0.1:2,127.0.0.1:3"
            })
    void no_part_of_a_password_is_shown(String uri) {
        HiddenPasswords.requireIn(uri);
    }
}
