package io.hasp.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands of the protocol, each a {@code .lua} resource whose first lines name its inputs. A line {@code -- include
 * file} is replaced by that file, once, when this class is loaded.
 */
enum Script {
    ACQUIRE,
    TRANSFER,
    RELEASE,
    RENEW,
    RAISE,
    CHECK;

    private final String text = load(name().toLowerCase(java.util.Locale.ROOT) + ".lua");
    private final String sha = sha1(text);

    String text() {
        return text;
    }

    /** What {@code EVALSHA} calls it. */
    String sha() {
        return sha;
    }

    private static String load(String file) {
        return Pattern.compile("(?m)^-- include (\\S+)$")
                .matcher(read(file))
                .replaceAll(include -> Matcher.quoteReplacement(load(include.group(1))));
    }

    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource io/hasp/redis/" + file + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
