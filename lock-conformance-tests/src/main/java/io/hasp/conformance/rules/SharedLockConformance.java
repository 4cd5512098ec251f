package io.hasp.conformance.rules;

/** The rules that apply to every read-write lock and semaphore. They are adopted like {@link LockConformance}. */
public interface SharedLockConformance
        extends ReadWriteRules,
                ReadWriteQueueRules,
                SemaphoreRules,
                SharedCrashRules,
                SharedLoadRules,
                SharedOutageRules {}
