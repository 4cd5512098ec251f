package io.hasp.packaging;

import io.hasp.conformance.servers.ZooKeeperServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A ZooKeeper server with a second port for TLS. ZooKeeper's client uses Netty for TLS, and only for that. */
record EncryptedZooKeeper(ZooKeeperServer server, int securePort, Path certificate) implements AutoCloseable {

    static EncryptedZooKeeper start(Path folder) throws IOException, InterruptedException {
        Path store = folder.resolve("server.p12");
        Path certificate = folder.resolve("server.pem");
        keytool(
                store,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        keytool(store, "-exportcert", "-rfc", "-file", certificate.toString());
        int port = freePort();
        ZooKeeperServer server = ZooKeeperServer.start(
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "secureClientPort=" + port,
                "secureClientPortAddress=127.0.0.1",
                "ssl.keyStore.location=" + store,
                "ssl.keyStore.password=secret",
                "ssl.trustStore.location=" + certificate,
                "ssl.clientAuth=none");
        return new EncryptedZooKeeper(server, port, certificate);
    }

    String plainUri() {
        return "zookeeper://" + server.connectString();
    }

    String encryptedUri() {
        return "zookeeper://127.0.0.1:" + securePort + "?tls=true&connectionTimeout=30s&trustStore=" + certificate;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void keytool(Path store, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "server", "-storepass", "secret", "-keystore", store.toString()));
        Program keytool = Program.run(Path.of("."), Map.of(), command);
        if (keytool.exit() != 0) {
            throw new IOException(keytool.said());
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
