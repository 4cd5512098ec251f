package io.hasp.redis.script;

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
 * A Lua script.
 *
 * @param text the source
 * @param sha the digest for {@code EVALSHA}
 */
public record LuaScript(String text, String sha) {

    public static LuaScript of(String text) {
        return new LuaScript(text, sha1(text));
    }

    /** Loads a {@code .lua} resource. A line {@code -- include file} is replaced by that file of the folder {@code include}. */
    public static LuaScript load(String file) {
        return of(included(file));
    }

    private static String included(String file) {
        return Pattern.compile("(?m)^-- include (\\S+)$")
                .matcher(read(file))
                .replaceAll(include -> Matcher.quoteReplacement(included("include/" + include.group(1))));
    }

    private static String read(String file) {
        try (InputStream in = LuaScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource io/hasp/redis/script/" + file + " is missing");
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
