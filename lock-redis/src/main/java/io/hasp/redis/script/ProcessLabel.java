package io.hasp.redis.script;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Process id and host, stored with each lock for people who look at the keys. */
public final class ProcessLabel {
    private static final String DESCRIPTION = ProcessHandle.current().pid() + "@" + host();

    private ProcessLabel() {}

    /** Process id and host. */
    public static String describe() {
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
