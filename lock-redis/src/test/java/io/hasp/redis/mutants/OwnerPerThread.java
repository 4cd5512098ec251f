package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RedisServer;

/** Writes the thread's id: a former hold of the thread is taken for its present one, and so is one of another process. */
final class OwnerPerThread extends TutorialLock {

    OwnerPerThread(RedisServer server) {
        super(server);
    }

    @Override
    String newValue() {
        return Long.toString(Thread.currentThread().getId());
    }
}
