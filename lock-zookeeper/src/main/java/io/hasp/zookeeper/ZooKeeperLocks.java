package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;

/**
 * Settings of the locks on the servers, for any kind of connection.
 *
 * @param root the absolute path of the node under which each lock has its folder. It is created when needed, as a container node, which
 *     ZooKeeper removes when it is empty. All clients that share locks use the same root
 * @param acl the permissions on the nodes that are created. On an application's Curator client an acl that is open to all users, the
 *     default, means the permissions that its {@code ACLProvider} gives. All users of a lock need to create, delete and read, also the
 *     client that creates the nodes: an acl that excludes this client fails the attempt with {@link BackendFailure.Kind#DENIED}
 * @param commandTimeout the time for an answer, after which the call fails with {@link BackendFailure.Kind#UNAVAILABLE}; the outcome is
 *     then unknown, and nodes that are left are deleted in the background
 */
public record ZooKeeperLocks(String root, List<ACL> acl, Duration commandTimeout) {
    static {
        ClassPathLibraries.read();
    }

    /** The root unless another is chosen. */
    public static final String DEFAULT_ROOT = "/hasp/locks";

    /** The command timeout unless another is chosen. */
    public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(5);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the wrong value and the reason
     */
    public ZooKeeperLocks {
        PathUtils.validatePath(root);
        if (root.equals("/") || root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
            throw new IllegalArgumentException("root '" + root + "' is ZooKeeper's own: choose a node below '/'");
        }
        acl = List.copyOf(acl);
        if (acl.isEmpty()) {
            throw new IllegalArgumentException("acl is empty: nobody could use the nodes");
        }
        ConfigChecks.positive("commandTimeout", commandTimeout);
    }

    /**
     * Returns the default settings: the root {@value #DEFAULT_ROOT}, open to all clients that reach the servers.
     *
     * @return the defaults
     */
    public static ZooKeeperLocks defaults() {
        return new ZooKeeperLocks(DEFAULT_ROOT, ZooDefs.Ids.OPEN_ACL_UNSAFE, DEFAULT_COMMAND_TIMEOUT);
    }
}
