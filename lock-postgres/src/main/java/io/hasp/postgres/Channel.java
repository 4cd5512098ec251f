package io.hasp.postgres;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The name of a client's channel. */
final class Channel {
    /** A name of PostgreSQL has at most 63 bytes. */
    private static final int LONGEST = 63;

    private Channel() {}

    static String of(PostgresLocks locks, String clientId) {
        String name = locks.prefix() + clientId;
        return name.length() <= LONGEST
                ? name
                : "hasp_" + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
