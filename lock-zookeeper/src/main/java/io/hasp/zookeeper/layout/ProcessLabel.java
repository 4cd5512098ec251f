package io.hasp.zookeeper.layout;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * The data of a node, which shows operators the process that created it: {@code 1|<process id>@<host>}, the layout's version first.
 * The creation time is the node's {@code ctime}, by the server: the client reads no wall clock. If the node is of a client that may
 * keep the lock, {@code |returns} at its end says that it will not: the lock goes back to the server after its present use.
 */
public final class ProcessLabel {
    private static final byte[] LABEL =
            ("1|" + ProcessHandle.current().pid() + "@" + host()).getBytes(StandardCharsets.UTF_8);
    private static final String RETURNS = "|returns";
    private static final byte[] RETURNING =
            (new String(LABEL, StandardCharsets.UTF_8) + RETURNS).getBytes(StandardCharsets.UTF_8);

    private ProcessLabel() {}

    /** The label of this process. The array is shared: callers must not change it. */
    public static byte[] bytes() {
        return LABEL;
    }

    /** The same of a client that does not keep this lock after its present use. */
    public static byte[] returning() {
        return RETURNING;
    }

    /** True if the node's data says that its client does not keep the lock. */
    public static boolean returns(byte[] label) {
        return new String(label, StandardCharsets.UTF_8).endsWith(RETURNS);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName().replace('|', '_');
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
