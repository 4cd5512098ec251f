package io.hasp.conformance.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A key and a self-signed certificate for {@code localhost}, as files for a Redis server and for its clients. Immutable. */
public final class ServerCertificate {
    /** The password of the store and of the key in it. */
    public static final String PASSWORD = "changeit";

    private static final String KEY = "redis";

    private final Path folder;

    private ServerCertificate(Path folder) {
        this.folder = folder;
    }

    /**
     * Creates the key, the certificate and their files.
     *
     * @param folder an empty folder for the files
     */
    public static ServerCertificate in(Path folder) throws IOException, GeneralSecurityException, InterruptedException {
        ServerCertificate certificate = new ServerCertificate(folder);
        certificate.generateKey();
        certificate.exportKey();
        return certificate;
    }

    /** Returns a PKCS #12 store with the key, and with the certificate as a trusted one. */
    public Path store() {
        return folder.resolve("store.p12");
    }

    /**
     * Returns the settings of a PostgreSQL server with this certificate, for {@link PostgresServer#start}.
     *
     * @return with TLS for those who want it
     */
    public List<String> postgresOptions() {
        return List.of("ssl=on", "ssl_cert_file=" + file(), "ssl_key_file=" + folder.resolve("key.pem"));
    }

    /**
     * Returns the certificate.
     *
     * @return a file in PEM
     */
    public Path file() {
        return folder.resolve("cert.pem");
    }

    /** Returns the options of a Redis server that speaks TLS at this port and requires no certificate of its clients. */
    public List<String> redisOptions(int port) {
        return List.of(
                "tls-port " + port,
                "tls-cert-file " + folder.resolve("cert.pem"),
                "tls-key-file " + folder.resolve("key.pem"),
                "tls-ca-cert-file " + folder.resolve("cert.pem"),
                "tls-auth-clients no");
    }

    private void generateKey() throws IOException, InterruptedException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String options =
                "-genkeypair -alias " + KEY + " -keyalg RSA -dname CN=localhost -ext san=dns:localhost -ext bc:c"
                        + " -storetype PKCS12 -storepass " + PASSWORD + " -keystore";
        List<String> command = new ArrayList<>(List.of(keytool.toString()));
        command.addAll(List.of(options.split(" ")));
        command.add(store().toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(output);
        }
    }

    /** The server reads PEM files. The JVM trusts a certificate that the store marks as trusted, beside the key. */
    private void exportKey() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store())) {
            keys.load(in, PASSWORD.toCharArray());
        }
        Certificate certificate = keys.getCertificate(KEY);
        pem("key.pem", "PRIVATE KEY", keys.getKey(KEY, PASSWORD.toCharArray()).getEncoded());
        // PostgreSQL accepts no key that others can read.
        Files.setPosixFilePermissions(folder.resolve("key.pem"), PosixFilePermissions.fromString("rw-------"));
        pem("cert.pem", "CERTIFICATE", certificate.getEncoded());
        keys.setCertificateEntry("trusted", certificate);
        try (OutputStream out = Files.newOutputStream(store())) {
            keys.store(out, PASSWORD.toCharArray());
        }
    }

    private void pem(String file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Files.writeString(
                folder.resolve(file), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
