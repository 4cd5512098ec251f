package io.hasp.zookeeper;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How to encrypt the connection. The stores are files that ZooKeeper reads: PEM, JKS, PKCS12 or BCFKS, by the file's ending.
 *
 * @param trustStore the certificates to trust; empty for those of the Java runtime
 * @param trustStorePassword its password; empty if it has none
 * @param keyStore the client's certificate and key, for servers that ask for them; empty for none
 * @param keyStorePassword its password; empty if it has none
 */
public record Tls(
        Optional<Path> trustStore, String trustStorePassword, Optional<Path> keyStore, String keyStorePassword) {

    /** Without stores: trusts what the Java runtime trusts, and has no client certificate. */
    static final Tls PLAIN = new Tls(Optional.empty(), "", Optional.empty(), "");

    /**
     * Checks that no password lacks its store.
     *
     * @throws IllegalArgumentException naming the missing store
     */
    public Tls {
        if (trustStore.isEmpty() && !trustStorePassword.isEmpty()) {
            throw new IllegalArgumentException("trustStorePassword is given without trustStore");
        }
        if (keyStore.isEmpty() && !keyStorePassword.isEmpty()) {
            throw new IllegalArgumentException("keyStorePassword is given without keyStore");
        }
    }

    @Override
    public String toString() {
        return "Tls[trustStore=" + trustStore + ", keyStore=" + keyStore + ", passwords=…]";
    }
}
