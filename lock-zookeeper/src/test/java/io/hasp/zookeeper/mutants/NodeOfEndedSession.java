package io.hasp.zookeeper.mutants;

import org.apache.zookeeper.data.Stat;

/** Takes any node with its id for its own, also that of a session which it has given up and which the server will end. */
final class NodeOfEndedSession extends ReconnectingRecipe {

    NodeOfEndedSession(String address) {
        super(address);
    }

    @Override
    boolean own(Stat node, long session) {
        return true;
    }
}
