package io.hasp.redis.mutants;

/** Counts the lease from the moment at which the answer arrives, however late: the server began earlier. */
final class DeadlineFromReply extends RenewedLock {

    DeadlineFromReply(int port) {
        super(port);
    }

    @Override
    long confirmedFrom(long sentAt) {
        return System.nanoTime();
    }
}
