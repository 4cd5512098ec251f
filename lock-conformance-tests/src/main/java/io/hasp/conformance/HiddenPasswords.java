package io.hasp.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Connects with passwords that are not percent-encoded, and requires that no failure shows a part of them. Stateless. */
public final class HiddenPasswords {
    private static final String CHARACTERS = "QXZJKVWY/?#@:% &=,[]";
    private static final int SECRETS = 400;
    private static final int SHOWN = 3;

    private HiddenPasswords() {}

    /**
     * Connects once with each password, and fails if a message, cause or suppressed exception shows three characters of it.
     *
     * @param uri a URI that no client can connect to, with {@code SECRET} in place of the password
     */
    public static void requireIn(String uri) {
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
            left.addAll(List.of(next.getSuppressed()));
            if (next.getCause() != null) {
                left.add(next.getCause());
            }
        }
        return text.toString();
    }
}
