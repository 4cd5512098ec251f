package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;

/** Compares, then deletes, in two commands: between them the lease can run out and another can take the lock. */
final class GetThenDelete extends TutorialLock {

    GetThenDelete(int port) {
        super(port);
    }

    @Override
    boolean giveBack(RespConnection redis, String key, String value) throws IOException {
        return value.equals(redis.text("GET", key)) && redis.integer("DEL", key) == 1;
    }
}
