package io.hasp.redis.mutants;

import java.io.IOException;

/** Answers "not taken" for any reason: a server that is down looks like one whose lock is busy. */
final class OutageAsBusy extends TutorialLock {

    OutageAsBusy(int port) {
        super(port);
    }

    @Override
    boolean takenInSpiteOf(IOException failure) {
        return false;
    }
}
