package io.hasp.evaluation.subject;

import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.ZooKeeperFaults;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.util.function.UnaryOperator;

/**
 * Faults around Curator's {@code InterProcessSemaphoreMutex}. Its folder has two folders: {@code leases} has a node of
 * the holder and one of the first waiter, {@code locks} one of each waiter.
 */
final class SemaphoreMutexFaults implements Faults {
    private final ZooKeeperFaults leases;
    private final ZooKeeperFaults locks;

    SemaphoreMutexFaults(ZooKeeperServer server, UnaryOperator<String> folderOf) {
        this.leases = new ZooKeeperFaults(server, server.connectString(), lock -> folderOf.apply(lock) + "/leases");
        this.locks = new ZooKeeperFaults(server, server.connectString(), lock -> folderOf.apply(lock) + "/locks");
    }

    /** The first waiter has two nodes. */
    @Override
    public int present(String lock) throws Exception {
        return leases.present(lock) + Math.max(0, locks.present(lock) - 1);
    }

    @Override
    public Server server() {
        return leases.server();
    }

    @Override
    public void deleteLock(String lock) throws Exception {
        leases.deleteLock(lock);
    }

    @Override
    public void endSessions(String lock) throws Exception {
        leases.endSessions(lock);
    }

    @Override
    public long received() throws Exception {
        return leases.received();
    }

    @Override
    public long kept() throws Exception {
        return leases.kept();
    }
}
