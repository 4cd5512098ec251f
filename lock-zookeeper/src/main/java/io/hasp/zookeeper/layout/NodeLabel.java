package io.hasp.zookeeper.layout;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * The data of a node, for operators: {@code 1|<label>}, the layout's version first. The label is that of the claim, or {@code <process
 * id>@<host>} without one; {@code %} and {@code |} in it are written {@code %25} and {@code %7C}. Fields may follow, each after a {@code |}:
 *
 * <ul>
 *   <li>{@code returns}: the node's client could keep the lock without a use, and will not. The lock goes back to the server after its
 *       present use.
 *   <li>{@code czxid=<number>}: the node replaced another one with more weight in the same place. The number is the transaction id of the
 *       first node, from which the token is counted.
 * </ul>
 *
 * <p>The creation time is the node's {@code ctime}, by the server: the client reads no wall clock.
 *
 * @param text the label; empty for data of another layout
 * @param returns true with the field {@code returns}
 * @param czxid the number of the field {@code czxid}; 0 without it
 */
public record NodeLabel(String text, boolean returns, long czxid) {
    private static final String VERSION = "1|";
    private static final String RETURNS = "|returns";
    private static final String CZXID = "|czxid=";
    private static final int MAX_DIGITS = 19;
    private static final String PROCESS = ProcessHandle.current().pid() + "@" + host();

    /** The data of a new node with a claim's label. */
    public static byte[] of(String label) {
        return bytes(begin(label));
    }

    /** The same of a client that does not keep this lock after its present use. */
    public static byte[] returning(String label) {
        return bytes(begin(label) + RETURNS);
    }

    /** The data of a node in the place of a heavier one, whose transaction id is given. */
    public static byte[] lowered(String label, long czxid) {
        return bytes(begin(label) + CZXID + czxid);
    }

    /** True if the node's data says that its client does not keep the lock. */
    public static boolean returns(byte[] data) {
        return text(data).endsWith(RETURNS);
    }

    /** Reads the data of any node, as text. */
    public static NodeLabel parse(String all) {
        if (!all.startsWith(VERSION)) {
            return new NodeLabel("", false, 0);
        }
        int end = all.indexOf('|', VERSION.length());
        String label = end < 0 ? all.substring(VERSION.length()) : all.substring(VERSION.length(), end);
        String fields = end < 0 ? "" : all.substring(end);
        return new NodeLabel(label.replace("%7C", "|").replace("%25", "%"), fields.endsWith(RETURNS), czxid(fields));
    }

    private static long czxid(String fields) {
        int start = fields.indexOf(CZXID);
        if (start < 0) {
            return 0;
        }
        int from = start + CZXID.length();
        int next = fields.indexOf('|', from);
        int to = next < 0 ? fields.length() : next;
        return to - from > MAX_DIGITS ? 0 : Math.max(0, NodeOrder.parseNumber(fields, from, to));
    }

    private static String begin(String label) {
        return VERSION + (label.isEmpty() ? PROCESS : label.replace("%", "%25").replace("|", "%7C"));
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName().replace('|', '_');
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
