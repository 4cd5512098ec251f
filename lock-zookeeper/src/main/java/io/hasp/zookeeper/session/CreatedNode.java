package io.hasp.zookeeper.session;

/**
 * A node that the server created.
 *
 * @param path its path, with the sequence that ZooKeeper appended
 * @param czxid the id of the transaction that created it; 0 if an old server does not report it
 */
public record CreatedNode(String path, long czxid) {

    String name() {
        return nameOf(path);
    }

    /** The last part of a path. */
    public static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
