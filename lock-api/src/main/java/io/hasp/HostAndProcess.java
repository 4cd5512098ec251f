package io.hasp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names this process for people. */
final class HostAndProcess {
    /** Linux has the name here; a name server may be slow. */
    private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

    private HostAndProcess() {}

    static String label() {
        return Host.NAME + ":" + ProcessHandle.current().pid();
    }

    /** Looked up once. */
    private static final class Host {
        private static final String NAME = Labels.fitting(name());

        private static String name() {
            String given = System.getenv("HOSTNAME");
            if (given != null && !given.isBlank()) {
                return given.strip();
            }
            try {
                String kernel = Files.readString(KERNEL).strip();
                return kernel.isEmpty() ? InetAddress.getLocalHost().getHostName() : kernel;
            } catch (IOException | SecurityException notLinux) {
                return ofAddress();
            }
        }

        private static String ofAddress() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }
    }
}
