package io.hasp.zookeeper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What a node says of its holder, for people who look at it: {@code 1|<process id>@<host>|<when it asked>}, the layout's
 * version first. The time is this machine's UTC clock; nothing reads it but people.
 */
final class Origin {
    private static final String PROCESS = "1|" + ProcessHandle.current().pid() + "@" + host() + "|";

    private Origin() {}

    /** The data of a node that is asked for now. */
    static byte[] now() {
        return (PROCESS + Instant.now().truncatedTo(ChronoUnit.MILLIS)).getBytes(StandardCharsets.UTF_8);
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName().replace('|', '_');
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
