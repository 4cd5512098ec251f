package io.hasp.redis.script;

/** Faults of a {@link QueueSimulation}. */
enum FaultMix {
    NONE(false, 0, 0, false),
    /** Clients are stopped and killed, and their subscriptions cut, with their knowledge or without. */
    CRASHES(true, 0, 0, false),
    LOST_MESSAGES(true, 0.05, 0, false),
    /** Requests are lost, come twice, or late. */
    LOST_REQUESTS(true, 0.02, 0.01, false),
    /** Some want the same name as another kind of lock, or with another capacity. */
    OTHER_KINDS(true, 0, 0, true);

    final boolean crashes;
    final double lostMessages;
    /** The share of lost requests, and of lost replies. */
    final double lostRequests;

    final boolean otherKinds;

    FaultMix(boolean crashes, double lostMessages, double lostRequests, boolean otherKinds) {
        this.crashes = crashes;
        this.lostMessages = lostMessages;
        this.lostRequests = lostRequests;
        this.otherKinds = otherKinds;
    }

    double duplicates() {
        return 2 * lostRequests;
    }

    double slowRequests() {
        return 5 * lostRequests;
    }

    /**
     * True if a waiter whose client was never disturbed must not be passed. Where its polls, or the answers to calls, are lost or come
     * late, a waiter may count as dead, so that it is passed as documented.
     */
    boolean ordered() {
        return lostMessages == 0 && lostRequests == 0;
    }
}
