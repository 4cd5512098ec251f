package io.hasp.redis.script;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of a client for people, as it is stored with each lock and waiter. The characters of the layout are escaped in it. */
public final class StoredLabel {
    private static final String PROCESS = escape(ProcessHandle.current().pid() + "@" + host());

    private StoredLabel() {}

    /** Returns the stored form of a claim's label; process id and host if it is empty. */
    public static String of(String label) {
        return label.isEmpty() ? PROCESS : escape(label);
    }

    /** Returns the label of a stored form. */
    public static String read(String stored) {
        return stored.indexOf('%') < 0
                ? stored
                : stored.replace("%7C", "|").replace("%5E", "^").replace("%25", "%");
    }

    /** Bars separate the fields, and the mark is between two carets. */
    private static String escape(String label) {
        if (label.indexOf('%') < 0 && label.indexOf('|') < 0 && label.indexOf('^') < 0) {
            return label;
        }
        return label.replace("%", "%25").replace("|", "%7C").replace("^", "%5E");
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
