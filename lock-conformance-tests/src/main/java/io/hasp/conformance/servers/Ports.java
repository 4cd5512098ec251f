package io.hasp.conformance.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free loopback ports below the range from which systems take the ports of outgoing connections. From inside that range a
 * client that keeps connecting to a stopped server may get the server's own port, connect to itself, and block its restart.
 */
final class Ports {
    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 32_000;
    private static final Set<Integer> TAKEN = new HashSet<>();

    private Ports() {}

    static synchronized int free() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (bindable(port) && TAKEN.add(port)) {
                return port;
            }
        }
    }

    static synchronized void giveBack(int port) {
        TAKEN.remove(port);
    }

    static InetSocketAddress address(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    private static boolean bindable(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
