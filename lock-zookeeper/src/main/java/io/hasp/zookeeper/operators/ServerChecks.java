package io.hasp.zookeeper.operators;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Connects to each server of a connect string, and reads its version and its mode by the four-letter word {@code srvr}. Servers
 * from 3.5.3 on answer it whatever {@code 4lw.commands.whitelist} says, but not on their encrypted port.
 */
public final class ServerChecks {
    private static final int DEFAULT_PORT = 2181;
    private static final int LIMIT_MILLIS = (int) Duration.ofSeconds(1).toMillis();
    private static final int LONGEST_ANSWER = 4_096;

    private ServerChecks() {}

    /** Checks the servers, all at the same time if the executor has the threads. */
    public static void run(String servers, boolean encrypted, Executor executor, Findings findings) {
        List<CompletableFuture<Findings>> all = List.of(servers.split(",")).stream()
                .map(server -> CompletableFuture.supplyAsync(() -> check(server, encrypted), executor))
                .toList();
        all.forEach(each -> findings.addAll(each.join()));
    }

    private static Findings check(String server, boolean encrypted) {
        Findings findings = new Findings();
        String name = "server " + server;
        try (Socket socket = new Socket()) {
            socket.connect(address(server), LIMIT_MILLIS);
            if (encrypted) {
                findings.unknown(name, "reachable; an encrypted port shows neither version nor mode");
                return findings;
            }
            describe(name, answer(socket), findings);
        } catch (IOException e) {
            findings.warn(
                    name, "not reachable: " + e.getMessage() + ". Locks work while a majority of the servers does");
        }
        return findings;
    }

    /** Empty without an answer. */
    private static String answer(Socket socket) {
        try {
            return ask(socket);
        } catch (IOException silentOrClosed) {
            return "";
        }
    }

    private static String ask(Socket socket) throws IOException {
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
    }

    private static void describe(String name, String answer, Findings findings) {
        Optional<String> mode = line(answer, "Mode: ");
        Optional<String> version = line(answer, "Zookeeper version: ").map(text -> text.split("[-,]", 2)[0]);
        if (mode.isPresent() && version.isPresent()) {
            String text = "version " + version.get() + ", " + mode.get();
            if (mode.get().equals("read-only")) {
                findings.warn(name, text + ": it has lost its quorum");
            } else {
                findings.ok(name, text);
            }
        } else if (answer.contains("not currently serving requests")) {
            findings.warn(name, "reachable, but it does not serve: it has no quorum");
        } else if (answer.isEmpty()) {
            findings.warn(
                    name,
                    "accepts connections, and does not answer within " + LIMIT_MILLIS
                            + " ms: it stands still, or its port is encrypted and the URI has no tls=true");
        } else {
            findings.unknown(
                    name, "reachable; it does not answer the command srvr, so its version and its mode are unknown");
        }
    }

    private static Optional<String> line(String answer, String beginning) {
        return answer.lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .findFirst();
    }

    private static InetSocketAddress address(String server) {
        int colon = server.lastIndexOf(':');
        boolean hasPort = colon > server.lastIndexOf(']');
        String host = hasPort ? server.substring(0, colon) : server;
        return new InetSocketAddress(
                host.replaceAll("[\\[\\]]", ""),
                hasPort ? Integer.parseInt(server.substring(colon + 1)) : DEFAULT_PORT);
    }
}
