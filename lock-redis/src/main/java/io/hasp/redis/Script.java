package io.hasp.redis;

import java.util.Locale;

/**
 * The commands of the protocol for one server, each a {@code .lua} resource whose first lines name its inputs, loaded once,
 * with this class.
 */
enum Script {
    ACQUIRE,
    TRANSFER,
    RELEASE,
    RENEW,
    RAISE,
    CHECK;

    private final String text;
    private final String sha;

    Script() {
        ScriptText loaded = ScriptText.load(name().toLowerCase(Locale.ROOT) + ".lua");
        text = loaded.text();
        sha = loaded.sha();
    }

    ScriptText lua() {
        return new ScriptText(text, sha);
    }

    String text() {
        return text;
    }

    /** What {@code EVALSHA} calls it. */
    String sha() {
        return sha;
    }
}
