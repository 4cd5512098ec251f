package io.hasp.redis.script;

/**
 * The commands of the protocol for one server, each a {@code .lua} resource whose first lines name its inputs, loaded once,
 * with this class. Exclusive locks and those with shares have their own; a name is a lock of one kind at a time.
 */
public enum LockScript {
    ACQUIRE("lock/acquire"),
    TRANSFER("lock/transfer"),
    RELEASE("lock/release"),
    REMOVE("lock/remove"),
    RETAIN("lock/retain"),
    RENEW("lock/renew"),
    SHARED_ACQUIRE("shared/acquire"),
    SHARED_RELEASE("shared/release"),
    SHARED_REMOVE("shared/remove"),
    SHARED_RENEW("shared/renew"),
    RAISE("lock/raise"),
    CHECK("lock/check"),
    LIST_NAMES("inspect/names"),
    SHOW_LOCKS("inspect/locks"),
    FACTS("diagnosis/facts"),
    CLOCK("diagnosis/clock");

    private final String text;
    private final String sha;

    LockScript(String file) {
        LuaScript loaded = LuaScript.load(file + ".lua");
        text = loaded.text();
        sha = loaded.sha();
    }

    public LuaScript lua() {
        return new LuaScript(text, sha);
    }

    public String text() {
        return text;
    }

    /** The digest by which {@code EVALSHA} names the script. */
    public String sha() {
        return sha;
    }
}
