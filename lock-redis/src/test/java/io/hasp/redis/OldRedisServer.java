package io.hasp.redis;

import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;

/** Redis 2.8.19 for Linux on x86, from an artifact for tests of others. */
record OldRedisServer(Path program, Process process, int port) implements AutoCloseable {
    private static final String RESOURCE = "/redis-server-2.8.19";

    static OldRedisServer start() throws IOException {
        Path program = Files.createTempFile("redis-server", "");
        try (InputStream packed = Objects.requireNonNull(OldRedisServer.class.getResourceAsStream(RESOURCE))) {
            Files.write(program, packed.readAllBytes());
        }
        if (!program.toFile().setExecutable(true)) {
            throw new IOException("can't make " + program + " executable");
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        program.toString(), "--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Awaitility.await().ignoreExceptions().until(() -> {
            try (RespConnection connection = RespConnection.open("127.0.0.1", port, Duration.ofSeconds(2))) {
                return "PONG".equals(connection.command("PING"));
            }
        });
        return new OldRedisServer(program, process, port);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.delete(program);
    }
}
