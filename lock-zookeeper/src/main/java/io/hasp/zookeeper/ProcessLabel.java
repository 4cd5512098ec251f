package io.hasp.zookeeper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * The data of a node, which tells operators which process created it: {@code 1|<process id>@<host>}, the layout's version first.
 * The creation time is the node's {@code ctime}, by the server: the client reads no wall clock.
 */
final class ProcessLabel {
    private static final byte[] LABEL =
            ("1|" + ProcessHandle.current().pid() + "@" + host()).getBytes(StandardCharsets.UTF_8);

    private ProcessLabel() {}

    /** The label of this process. The array is shared: callers must not change it. */
    static byte[] bytes() {
        return LABEL;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName().replace('|', '_');
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
