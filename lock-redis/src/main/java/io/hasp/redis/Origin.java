package io.hasp.redis;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who this process is, for whoever looks at the keys. */
final class Origin {
    private static final String DESCRIPTION = ProcessHandle.current().pid() + "@" + host();

    private Origin() {}

    /** Process id and host. */
    static String describe() {
        return DESCRIPTION;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName().replace('|', '_');
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
