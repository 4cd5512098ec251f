package io.hasp.redis.script;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.List;

/**
 * The keys of a lock: all of them have its name in braces, so that they share a slot of a cluster. Braces in the name are
 * escaped, because {@code }x} would close the tag early and split the lock over two slots; the mapping stays injective.
 *
 * @param prefix put before every key and channel
 */
public record LockKeys(String prefix) {

    public String lock(LockName name) {
        return prefix + ":{" + escape(name.value()) + "}";
    }

    /** The keys of {@code acquire.lua} and {@code release.lua}. */
    public static List<String> of(String lock, String holder) {
        return List.of(lock, lock + ":t", lock + ":q", lock + ":w", lock + ":x:" + holder);
    }

    /** The keys of a grant in {@code lock/renew.lua}, which takes the first one alone as well, and leaves the counter then. */
    public static List<String> renewed(String lock) {
        return List.of(lock, lock + ":t");
    }

    /**
     * The keys of a grant in {@code shared/renew.lua}, which lets waiters in if the grant is lowered. It takes those of {@link #renewed}
     * and the first one alone as well, and lowers nothing then.
     */
    public static List<String> renewedShare(String lock) {
        return List.of(lock, lock + ":t", lock + ":q", lock + ":w");
    }

    /** The keys of a holder's request for a lock. */
    public List<String> all(LockName name, HolderId holder) {
        return of(lock(name), holder.value());
    }

    public String channel(String clientId) {
        return prefix + ":c:" + clientId;
    }

    /** A key that no lock has: the braces of theirs are behind a colon. */
    public String unused(String hashTag) {
        return prefix + ":check" + hashTag;
    }

    private static String escape(String name) {
        if (name.indexOf('%') < 0 && name.indexOf('{') < 0 && name.indexOf('}') < 0) {
            return name;
        }
        return name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
    }
}
