package io.hasp.zookeeper.recipe;

/** The watches of one waiting node. */
sealed interface QueueWatch permits PredecessorWatch, EarlierNodesWatch {
    /** Whether the deletions that were reported prove that the node has the lock, so that no listing is needed. */
    boolean provesGranted();

    /** Whether a node that should be watched can't be: no watch wakes this waiter when its turn comes. */
    boolean unwatchable();

    /** Whether the watches are set or refused, and none has reported a change. */
    boolean undisturbed();

    /** Whether only some of the nodes are watched that this waiter waits for. */
    boolean incomplete();

    /** Ends all watches. The watch on the own node ends with that node, which is about to be deleted. */
    void stop();
}
