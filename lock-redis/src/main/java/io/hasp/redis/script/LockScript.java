package io.hasp.redis.script;

import java.util.Locale;

/**
 * The commands of the protocol for one server, each a {@code .lua} resource whose first lines name its inputs, loaded once,
 * with this class.
 */
public enum LockScript {
    ACQUIRE,
    TRANSFER,
    RELEASE,
    RENEW,
    RAISE,
    CHECK;

    private final String text;
    private final String sha;

    LockScript() {
        LuaScript loaded = LuaScript.load("lock/" + name().toLowerCase(Locale.ROOT) + ".lua");
        text = loaded.text();
        sha = loaded.sha();
    }

    public LuaScript lua() {
        return new LuaScript(text, sha);
    }

    public String text() {
        return text;
    }

    /** What {@code EVALSHA} calls it. */
    public String sha() {
        return sha;
    }
}
