package io.hasp.zookeeper.recipe;

/** The watches of one waiting node. */
sealed interface QueueWatch permits PredecessorWatch, EarlierNodesWatch {
    /** True if the reported deletions prove that the node has the lock, so that no listing is needed. */
    boolean provesGranted();

    /** True if a node that should be watched can't be: no watch wakes this waiter when its turn comes. */
    boolean unwatchable();

    /** True if the watches are set or refused, and none has reported a change. */
    boolean undisturbed();

    /** True if only some of the nodes that this waiter waits for are watched. */
    boolean incomplete();

    /** Ends all watches. The watch on the own node ends with that node, which is about to be deleted. */
    void stop();
}
