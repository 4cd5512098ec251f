package io.hasp.conformance.servers;

import java.util.concurrent.atomic.AtomicBoolean;

/** Says once per JVM what kind of servers the tests run against. */
final class Announcement {
    private static final AtomicBoolean MADE = new AtomicBoolean();

    private Announcement() {}

    static void nativeProcesses() {
        if (MADE.compareAndSet(false, true)) {
            System.err.println("hasp: servers are native processes on 127.0.0.1 (Redis " + RedisBinary.VERSION
                    + ", ZooKeeper " + org.apache.zookeeper.Version.getVersion() + ")");
        }
    }
}
