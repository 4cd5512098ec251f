package io.hasp.zookeeper.operators;

import io.hasp.spi.Timing;
import io.hasp.zookeeper.layout.NodeLabel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/**
 * Tries each permission that locks need, on a folder and a node as for a lock, which it deletes again. The two stamps that the node gets show
 * the rate of the servers' clock.
 */
public final class PermissionChecks {
    /** The beginning of the name of a folder that this check creates. */
    static final String FOLDER = "hasp-check-";

    private static final byte[] NO_DATA = {};

    /** Between the two stamps. */
    private static final Duration PAUSE = Duration.ofMillis(300);

    /** Clocks show milliseconds, and run at slightly different rates. */
    private static final Duration TOLERANCE = Duration.ofMillis(10);

    private final ZooKeeper handle;
    private final List<ACL> acl;
    private final Timing timing;
    private final Findings findings;
    private final String root;
    private final String folder;
    private String node = "";
    private final Stat created = new Stat();
    private long createdFrom;
    private long createdTo;

    /**
     * Creates the checks.
     *
     * @param root the node that has the folders of the locks
     * @param acl the permissions of nodes that are created
     * @param clientId makes the folder's name unique
     */
    public PermissionChecks(
            ZooKeeper handle, String root, List<ACL> acl, String clientId, Timing timing, Findings findings) {
        this.handle = handle;
        this.root = root;
        // ZooKeeper asks the list whether it contains null, which an immutable list refuses.
        this.acl = new ArrayList<>(acl);
        this.timing = timing;
        this.findings = findings;
        this.folder = root + "/" + FOLDER + clientId;
    }

    /** Runs the checks. */
    public void run() {
        findings.run("root", this::root);
        step("create", "locks can't be acquired", this::create);
        if (node.isEmpty()) {
            for (String other : List.of("permission to read", "permission to write", "permission to delete", "clock")) {
                findings.unknown(other, "there is no node to try it on");
            }
            findings.run("permission to delete", this::removeFolder);
            return;
        }
        step("read", "locks can't be acquired", () -> {
            handle.getChildren(folder, false);
            handle.getData(node, false, null);
        });
        findings.run("clock", this::writeAndCompare);
        step("delete", "locks can't be released", () -> handle.delete(node, -1));
        findings.run("permission to delete", this::removeFolder);
    }

    private void root() throws KeeperException, InterruptedException {
        findings.ok(
                "root",
                handle.exists(root, false) == null
                        ? root + " does not exist: the first lock creates it, and servers remove it while it is empty"
                        : root + " exists");
    }

    private void step(String permission, String otherwise, Findings.Check step) {
        String name = "permission to " + permission;
        findings.run(name, () -> {
            try {
                step.run();
                findings.ok(name, "granted below " + root);
            } catch (KeeperException.NoAuthException e) {
                findings.fail(
                        name, "missing for " + e.getPath() + ": " + otherwise + ". Its ACL has to name this client");
            } catch (KeeperException e) {
                if (e.code() == Code.QUOTAEXCEEDED || e.code() == Code.NOCHILDRENFOREPHEMERALS) {
                    findings.fail(name, "refused with " + e.getMessage() + ": " + otherwise);
                } else {
                    throw e;
                }
            }
        });
    }

    private void create() throws KeeperException, InterruptedException {
        for (int slash = root.indexOf('/', 1); slash > 0; slash = root.indexOf('/', slash + 1)) {
            createIfMissing(root.substring(0, slash));
        }
        createIfMissing(root);
        handle.create(folder, NO_DATA, acl, CreateMode.CONTAINER);
        createdFrom = timing.nanoTime();
        node = handle.create(
                folder + "/x-check-", NodeLabel.of("hasp doctor"), acl, CreateMode.EPHEMERAL_SEQUENTIAL, created);
        createdTo = timing.nanoTime();
    }

    private void createIfMissing(String path) throws KeeperException, InterruptedException {
        try {
            if (handle.exists(path, false) == null) {
                handle.create(path, NO_DATA, acl, CreateMode.CONTAINER);
            }
        } catch (KeeperException.NodeExistsException | KeeperException.NoAuthException e) {
            if (e.code() == Code.NOAUTH && !mayExist(path)) {
                throw e;
            }
        }
    }

    /** A server does not answer for a node that this client may not read. */
    private boolean mayExist(String path) throws KeeperException, InterruptedException {
        try {
            return handle.exists(path, false) != null;
        } catch (KeeperException.NoAuthException hidden) {
            return true;
        }
    }

    /** Locks never delete folders: servers remove each empty folder by themselves, within a minute. */
    private void removeFolder() throws KeeperException, InterruptedException {
        try {
            handle.delete(folder, -1);
        } catch (KeeperException.NoNodeException
                | KeeperException.NoAuthException
                | KeeperException.NotEmptyException left) {
            // It was not created, or the servers remove it.
        }
    }

    private void writeAndCompare() throws KeeperException, InterruptedException {
        CompletableFuture<Void> pause = new CompletableFuture<>();
        timing.schedule(PAUSE, () -> pause.complete(null));
        pause.join();
        long from = timing.nanoTime();
        Stat written;
        try {
            written = handle.setData(node, NodeLabel.of("hasp doctor"), -1);
        } catch (KeeperException.NoAuthException e) {
            findings.warn(
                    "permission to write",
                    "missing for " + e.getPath()
                            + ": locks work, but a client that keeps locks can't mark them as returned");
            findings.unknown("clock", "a second stamp needs the permission to write");
            return;
        }
        long to = timing.nanoTime();
        findings.ok("permission to write", "granted below " + root);
        compare(
                Duration.ofMillis(written.getMtime() - created.getCtime()),
                Duration.ofNanos(from - createdTo),
                Duration.ofNanos(to - createdFrom),
                findings);
    }

    /**
     * Compares the time between two stamps of the servers with the same time on the monotonic clock.
     *
     * @param shortest from the answer to the first request to the second request
     * @param longest from the first request to the answer to the second request
     */
    static void compare(Duration byServers, Duration shortest, Duration longest, Findings findings) {
        String text = "the servers' clock went on by " + byServers.toMillis() + " ms while " + shortest.toMillis()
                + " to " + longest.toMillis() + " ms passed here";
        if (byServers.compareTo(shortest.minus(TOLERANCE)) < 0 || byServers.compareTo(longest.plus(TOLERANCE)) > 0) {
            findings.warn(
                    "clock",
                    text
                            + ": it was set, or the leader changed. Locks do not depend on it, but the times that operators see do");
        } else {
            findings.ok("clock", text);
        }
    }
}
