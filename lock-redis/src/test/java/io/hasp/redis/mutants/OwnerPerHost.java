package io.hasp.redis.mutants;

import java.net.InetAddress;

/** Writes the host's address: all processes of a machine are one owner. */
final class OwnerPerHost extends TutorialLock {

    OwnerPerHost(int port) {
        super(port);
    }

    @Override
    String newValue() {
        return InetAddress.getLoopbackAddress().toString();
    }
}
