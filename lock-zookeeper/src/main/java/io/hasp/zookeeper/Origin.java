package io.hasp.zookeeper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * What a node says of its holder, for people who look at it: {@code 1|<process id>@<host>}, the layout's version first. Since
 * when it is there, the server says itself (the node's {@code ctime}): a client never looks at a wall clock.
 */
final class Origin {
    private static final byte[] DESCRIPTION =
            ("1|" + ProcessHandle.current().pid() + "@" + host()).getBytes(StandardCharsets.UTF_8);

    private Origin() {}

    /** Process id and host, as the data of a node; not to be changed. */
    static byte[] describe() {
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
