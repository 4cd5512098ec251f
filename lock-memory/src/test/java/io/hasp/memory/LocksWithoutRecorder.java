package io.hasp.memory;

import io.hasp.Lease;
import io.hasp.LockClient;

/** A program in a JVM without the module of the flight recorder. */
final class LocksWithoutRecorder {
    private LocksWithoutRecorder() {}

    public static void main(String[] args) throws Exception {
        if (ModuleLayer.boot().findModule("jdk.jfr").isPresent()) {
            throw new AssertionError("the flight recorder is there");
        }
        try (LockClient client = LockClient.connect("memory://without-recorder");
                Lease lease = client.lock("a").acquireAsync().join()) {
            client.lock("b").run(inner -> inner.ensureHeld());
            lease.ensureHeld();
        }
        System.out.println("the flight recorder is absent, and the lock was held");
    }
}
