package io.hasp.conformance.rules;

/** All rules for read-write locks and semaphores that any lock can be asked to keep; adopted as {@link LockConformance}. */
public interface SharedLockConformance
        extends ReadWriteRules,
                ReadWriteQueueRules,
                SemaphoreRules,
                SharedCrashRules,
                SharedLoadRules,
                SharedOutageRules {}
