package io.hasp.zookeeper.mutants;

import org.apache.zookeeper.CreateMode;

/** Queues with a node that outlives its session: the lock of a client that dies is never free again. */
final class PersistentNode extends RecipeLock {

    PersistentNode(String address) {
        super(address);
    }

    @Override
    CreateMode mode() {
        return CreateMode.PERSISTENT_SEQUENTIAL;
    }
}
