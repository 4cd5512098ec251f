package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords that are not percent-encoded, of which no message, cause or suppressed exception shows a part. */
class SecretsTest {
    private static final String CHARACTERS = "QXZJKVWY/?#@:% &=,[]";
    private static final int SECRETS = 400;
    private static final int SHOWN = 3;

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
        Random random = new Random(50);
        for (int i = 0; i < SECRETS; i++) {
            requireHidden(uri, secret(random));
        }
        requireHidden(uri, "S3?CR3T");
        requireHidden(uri, "Q7?renewedLease=XZJ");
    }

    private static String secret(Random random) {
        StringBuilder secret = new StringBuilder();
        int length = 3 + random.nextInt(12);
        for (int i = 0; i < length; i++) {
            secret.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return secret.toString();
    }

    private static void requireHidden(String uri, String secret) {
        Throwable thrown =
                catchThrowable(() -> LockClient.connect(uri.replace("SECRET", secret), ClientOptions.defaults())
                        .close());
        assertThat(thrown).as(secret).isNotNull();
        String shown = text(thrown);
        for (int i = 0; i + SHOWN <= secret.length(); i++) {
            String part = secret.substring(i, i + SHOWN);
            // Signs alone also stand in the advice.
            if (part.chars().filter(Character::isLetterOrDigit).count() > 1) {
                assertThat(shown).as("secret %s in %s", secret, uri).doesNotContain(part);
            }
        }
    }

    private static String text(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        Deque<Throwable> left = new ArrayDeque<>();
        left.add(thrown);
        while (!left.isEmpty()) {
            Throwable next = left.remove();
            text.append(next).append('\n');
            left.addAll(java.util.List.of(next.getSuppressed()));
            if (next.getCause() != null) {
                left.add(next.getCause());
            }
        }
        return text.toString();
    }
}
