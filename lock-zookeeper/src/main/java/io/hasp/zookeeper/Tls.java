package io.hasp.zookeeper;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How to encrypt the connection. The stores are what ZooKeeper reads: PEM, JKS, PKCS12 or BCFKS, told by the ending.
 *
 * @param trustStore whom to trust; empty for what the Java runtime trusts
 * @param trustStorePassword its password; empty if it has none
 * @param keyStore who the client is, where the servers want to know; empty for nobody
 * @param keyStorePassword its password; empty if it has none
 */
public record Tls(
        Optional<Path> trustStore, String trustStorePassword, Optional<Path> keyStore, String keyStorePassword) {

    /** Without stores of its own: trusts what the Java runtime trusts, and says nothing about the client. */
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
