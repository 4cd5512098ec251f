package io.hasp.spring.integration;

import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** The locks of a registry of any generation: maps keys to locks, and holds their options. */
final class RegistryLocks {
    private final LockClient client;
    private final String registryKey;
    private final LockOptions options;

    RegistryLocks(LockClient client, String registryKey, LockOptions options) {
        Assert.notNull(client, "the lock client is null");
        Assert.notNull(registryKey, "the registry key is null");
        Assert.notNull(options, "the lock options are null");
        this.client = client;
        this.registryKey = registryKey;
        this.options = options;
    }

    RegistryLock lock(Object key) {
        return lock(key, options);
    }

    /** Returns the lock for a leader: held without an end, by a thread that is interrupted on a loss. */
    RegistryLock leaderLock(Object key) {
        LockOptions endless = LockOptions.defaults().onLoss(OnLoss.INTERRUPT);
        return lock(key, options.renewedLease().map(endless::renewedLease).orElse(endless));
    }

    private RegistryLock lock(Object key, LockOptions held) {
        try {
            return new RegistryLock(client, name(key), held);
        } catch (InvalidArgumentException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private String name(Object key) {
        Assert.notNull(key, "the lock key is null");
        String text = key.toString();
        if (!(key instanceof String) && saysNothing(key, text)) {
            throw new IllegalArgumentException(
                    "lock key " + text + " has no text of its own: another process would call it"
                            + " otherwise, and have another lock. Give a String, or a class with a toString()");
        }
        return registryKey.isEmpty() ? text : registryKey + ":" + text;
    }

    /** Returns true for an array, or an object whose {@code toString} is that of {@code Object}. */
    private static boolean saysNothing(Object key, @Nullable String text) {
        return text == null || text.equals(key.getClass().getName() + "@" + Integer.toHexString(key.hashCode()));
    }

    void renew(Object key, @Nullable Duration ttl) {
        lock(key).renew(ttl);
    }

    Optional<Lease> lease(Object key) {
        return lock(key).lease();
    }

    @Override
    public String toString() {
        return registryKey.isEmpty() ? "all names" : registryKey;
    }
}
