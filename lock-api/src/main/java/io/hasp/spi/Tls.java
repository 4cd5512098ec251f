package io.hasp.spi;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Configures the encryption of a connection. The defaults trust the certificates that the Java runtime trusts, and present no certificate
 * of the client. {@code Tls.defaults().trustStore(file, "secret")} trusts the certificates of a file instead. The backend's configuration
 * names the formats of the files. Immutable.
 *
 * @param trustStore the file of the certificates to trust; empty for those of the Java runtime
 * @param trustStorePassword opens that file; empty if it has none
 * @param keyStore the file of the client's certificate and key, for servers that require them; empty for none
 * @param keyStorePassword opens that file and its key; empty if it has none
 */
public record Tls(
        Optional<Path> trustStore, String trustStorePassword, Optional<Path> keyStore, String keyStorePassword) {
    private static final Tls DEFAULTS = new Tls(Optional.empty(), "", Optional.empty(), "");

    /**
     * Checks that no password lacks its file.
     *
     * @throws IllegalArgumentException naming the missing file
     */
    public Tls {
        if (trustStore.isEmpty() && !trustStorePassword.isEmpty()) {
            throw new IllegalArgumentException("trustStorePassword is given without trustStore");
        }
        if (keyStore.isEmpty() && !keyStorePassword.isEmpty()) {
            throw new IllegalArgumentException("keyStorePassword is given without keyStore");
        }
    }

    /**
     * Returns a configuration without files.
     *
     * @return the defaults
     */
    public static Tls defaults() {
        return DEFAULTS;
    }

    /**
     * Returns this configuration with other certificates to trust.
     *
     * @param file in a format of the backend
     * @param password opens it; empty if it has none
     * @return a new value
     */
    public Tls trustStore(Path file, String password) {
        return new Tls(Optional.of(file), password, keyStore, keyStorePassword);
    }

    /**
     * Returns this configuration with a certificate of this client.
     *
     * @param file in a format of the backend
     * @param password opens it and its key; empty if it has none
     * @return a new value
     */
    public Tls keyStore(Path file, String password) {
        return new Tls(trustStore, trustStorePassword, Optional.of(file), password);
    }

    /** Omits the passwords. */
    @Override
    public String toString() {
        return "Tls[trustStore=" + trustStore + ", keyStore=" + keyStore + ", passwords=…]";
    }
}
