package io.hasp.redis.mutants;

import io.hasp.conformance.servers.RedisServer;
import java.net.InetAddress;

/** Writes the host's address: all processes of a machine are one owner. */
final class OwnerPerHost extends TutorialLock {

    OwnerPerHost(RedisServer server) {
        super(server);
    }

    @Override
    String newValue() {
        return InetAddress.getLoopbackAddress().toString();
    }
}
