package io.hasp.spring.integration;

import io.hasp.ElectionOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LeaderElection;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.leader.Candidate;
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

    /** Of the options, an election uses the renewed lease only: a leader holds its lock without an end. */
    LeaderElection election(Candidate candidate) {
        ElectionOptions candidacy = ElectionOptions.defaults();
        candidacy = options.renewedLease().map(candidacy::renewedLease).orElse(candidacy);
        String label = candidate.getId();
        try {
            return client.election(
                    name(candidate.getRole()), label == null || label.isBlank() ? candidacy : candidacy.label(label));
        } catch (InvalidArgumentException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    RegistryLock lock(Object key) {
        try {
            return new RegistryLock(client, name(key), options);
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
