package io.hasp.redis.mutants;

/** Writes the thread's id: a former hold of the thread is taken for its present one, and so is one of another process. */
final class OwnerPerThread extends TutorialLock {

    OwnerPerThread(int port) {
        super(port);
    }

    @Override
    String newValue() {
        return Long.toString(Thread.currentThread().getId());
    }
}
