package io.hasp.zookeeper.mutants;

import org.apache.zookeeper.data.Stat;

/** Takes any node that bears its id for its own, also the one of a session that it has given up and that the server ends. */
final class NodeOfADeadSession extends ReconnectingRecipe {

    NodeOfADeadSession(String address) {
        super(address);
    }

    @Override
    boolean own(Stat node, long session) {
        return true;
    }
}
