package io.hasp;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Names this process for people. */
final class HostAndProcess {
    private HostAndProcess() {}

    static String label() {
        return Host.NAME + ":" + ProcessHandle.current().pid();
    }

    /** Looked up once: a name server may be slow. */
    private static final class Host {
        private static final String NAME = name();

        private static String name() {
            String given = System.getenv("HOSTNAME");
            if (given != null && !given.isBlank()) {
                return given;
            }
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }
    }
}
