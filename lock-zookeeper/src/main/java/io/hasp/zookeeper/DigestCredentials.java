package io.hasp.zookeeper;

/**
 * Credentials of ZooKeeper's digest scheme.
 *
 * @param user the name, without a colon
 * @param password the password; never part of a message
 */
public record DigestCredentials(String user, String password) {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it is empty or contains a colon
     */
    public DigestCredentials {
        if (user.isEmpty() || user.indexOf(':') >= 0) {
            throw new IllegalArgumentException("digest user '" + user + "' is empty or contains a colon");
        }
    }

    @Override
    public String toString() {
        return "Digest[user=" + user + ", password=…]";
    }
}
