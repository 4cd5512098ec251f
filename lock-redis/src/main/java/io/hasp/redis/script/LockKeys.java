package io.hasp.redis.script;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.List;
import java.util.Optional;

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

    /** The keys of one lock in {@code inspect/locks.lua}. */
    public List<String> shown(LockName name) {
        return renewedShare(lock(name));
    }

    /** A pattern of {@code SCAN} for the keys of all locks whose names begin with a text. */
    public String matching(String namePrefix) {
        return beforeName() + escape(namePrefix).replaceAll("([*?\\[\\]\\\\])", "\\\\$1") + "*";
    }

    /** The characters of a lock's key before its name; they are ASCII. */
    public String beforeName() {
        return prefix + ":{";
    }

    /** The name of a lock as its keys have it; empty if no lock has that key. */
    public static Optional<LockName> name(String inKey) {
        String name = inKey.replace("%7B", "{").replace("%7D", "}").replace("%25", "%");
        try {
            return escape(name).equals(inKey) ? Optional.of(new LockName(name)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
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
