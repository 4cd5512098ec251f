package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;

/** Deletes the key of any owner: a client whose lease has run out deletes the lock of the next. */
final class DeleteWithoutOwnerCheck extends TutorialLock {

    DeleteWithoutOwnerCheck(int port) {
        super(port);
    }

    @Override
    boolean giveBack(RespConnection redis, String key, String value) throws IOException {
        return redis.integer("DEL", key) == 1;
    }
}
