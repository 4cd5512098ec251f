package io.hasp.zookeeper.operators;

import io.hasp.zookeeper.layout.LockNameEncoding;
import io.hasp.zookeeper.layout.LockQueue;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.TokenFloorNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Checks the nodes below the root: a quota on them, their number, their layout, and the permissions in them. Changes nothing. */
public final class TreeChecks {
    private static final String LAYOUT = "1|";

    /** The folders that are looked at. */
    private static final int SAMPLE = 50;

    /** A node that no client creates. */
    private static final String NOWHERE = "/hasp-nowhere";

    private static final int NAMED = 3;

    /** A name in a listing, at most. */
    private static final int BYTES_OF_NAME = 132;

    /** The client library's own limit for an answer. */
    private static final int DEFAULT_LIMIT = 0xfffff;

    private final ZooKeeper handle;
    private final String root;
    private final int limit;
    private final boolean writable;
    private final Findings findings;

    /**
     * Creates the checks.
     *
     * @param limit the longest answer that this client reads, in bytes
     * @param writable false if the server refuses every change
     */
    public TreeChecks(ZooKeeper handle, String root, int limit, boolean writable, Findings findings) {
        this.handle = handle;
        this.root = root;
        this.limit = limit;
        this.writable = writable;
        this.findings = findings;
    }

    /** Runs the checks. */
    public void run() {
        findings.run("quota", this::quota);
        findings.run("number of locks", () -> {
            Stat stat = handle.exists(root, false);
            int folders = stat == null ? 0 : stat.getNumChildren();
            number(folders);
            if (folders <= limit / BYTES_OF_NAME) {
                findings.run("layout", () -> layout(folders));
            } else {
                findings.unknown("layout", "there are too many folders to list");
            }
        });
    }

    private void quota() throws KeeperException, InterruptedException {
        boolean any = false;
        for (int slash = root.indexOf('/', 1); ; slash = root.indexOf('/', slash + 1)) {
            any |= quotaOn(slash < 0 ? root : root.substring(0, slash));
            if (slash < 0) {
                break;
            }
        }
        if (!any) {
            findings.ok("quota", "none on " + root + " or above");
        }
    }

    private boolean quotaOn(String path) throws KeeperException, InterruptedException {
        String quota = "/zookeeper/quota" + path;
        String limits;
        String used;
        try {
            limits = text(handle.getData(quota + "/zookeeper_limits", false, null));
            used = text(handle.getData(quota + "/zookeeper_stats", false, null));
        } catch (KeeperException.NoNodeException none) {
            return false;
        }
        OptionalLong most = lowest(number(limits, "count"), number(limits, "countHardLimit"));
        OptionalLong nodes = number(used, "count");
        String text = "on " + path + ": limits " + limits + ", used " + used;
        if (most.isPresent() && nodes.isPresent() && nodes.getAsLong() >= most.getAsLong() * 8 / 10) {
            findings.warn("quota", text + ": nearly used up. Each lock needs two nodes, and each waiter one");
        } else {
            findings.ok("quota", text);
        }
        return true;
    }

    private static OptionalLong lowest(OptionalLong a, OptionalLong b) {
        return a.isEmpty() || (b.isPresent() && b.getAsLong() < a.getAsLong()) ? b : a;
    }

    /** A number of a quota; empty if there is none, or it is the −1 of an unlimited one. */
    private static OptionalLong number(String quota, String key) {
        Matcher found = Pattern.compile("(?:^|[,;=])" + key + "=(\\d{1,17})").matcher(quota);
        return found.find() ? OptionalLong.of(Long.parseLong(found.group(1))) : OptionalLong.empty();
    }

    private void number(int folders) {
        String text = folders + " folders below " + root;
        if (folders > limit / BYTES_OF_NAME) {
            findings.warn(
                    "number of locks",
                    text + ": their list may exceed the " + limit
                            + " bytes that this client reads, so operators can't list them");
        } else if (folders > DEFAULT_LIMIT / BYTES_OF_NAME) {
            findings.warn(
                    "number of locks",
                    text
                            + ": their list may exceed the default jute.maxbuffer. The inspector of an application's own client refuses to"
                            + " list them; a client that is connected by a URI lists them");
        } else {
            findings.ok("number of locks", text);
        }
    }

    private void layout(int folders) throws KeeperException, InterruptedException {
        Set<String> foreign = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        int nodes = 0;
        Set<String> denied = new TreeSet<>();
        List<String> sample = folders == 0
                ? List.of()
                : handle.getChildren(root, false).stream()
                        .filter(folder -> !folder.startsWith(PermissionChecks.FOLDER))
                        .limit(SAMPLE)
                        .toList();
        for (String folder : sample) {
            try {
                nodes += folder(folder, foreign, unknown);
                tryPermissions(root + "/" + folder, denied);
            } catch (KeeperException.NoNodeException goneSince) {
                // A lock that was in use a moment ago.
            } catch (KeeperException.NoAuthException e) {
                denied.add("to read " + e.getPath());
            }
        }
        permissions(sample.size(), denied);
        String seen = nodes + " nodes in " + sample.size() + " folders read";
        if (foreign.isEmpty() && unknown.isEmpty()) {
            findings.ok("layout", seen + ": all of layout 1");
            return;
        }
        List<String> texts = new ArrayList<>();
        if (!foreign.isEmpty()) {
            texts.add("foreign nodes, which locks ignore: " + some(foreign));
        }
        if (!unknown.isEmpty()) {
            texts.add("nodes of another layout: " + some(unknown)
                    + ". Do not mix versions of Hasp with different layouts");
        }
        findings.warn("layout", seen + ". " + String.join(". ", texts));
    }

    /** A transaction that fails in any case: at a step for which a permission is missing, or else at its last one. */
    private void tryPermissions(String folder, Set<String> denied) throws KeeperException, InterruptedException {
        if (!writable) {
            return;
        }
        String probe = folder + "/probe";
        try {
            handle.multi(List.of(
                    Op.create(probe, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL),
                    Op.delete(probe, -1),
                    Op.check(NOWHERE, -1)));
        } catch (KeeperException.NoAuthException e) {
            boolean creation = e.getResults().get(0) instanceof OpResult.ErrorResult first
                    && first.getErr() == KeeperException.Code.NOAUTH.intValue();
            denied.add((creation ? "to create in " : "to delete in ") + folder);
        } catch (KeeperException.NoNodeException | KeeperException.NodeExistsException granted) {
            // The last step failed, or the folder is gone.
        }
    }

    private void permissions(int tried, Set<String> denied) {
        String check = "permissions of locks";
        if (denied.isEmpty()) {
            findings.ok(check, "granted in " + tried + " folders" + (writable ? "" : ", for reading"));
        } else {
            findings.fail(
                    check,
                    "missing: " + some(denied)
                            + ". This client can't use these locks: all clients of a lock need the same acl and"
                            + " credentials");
        }
    }

    /** Reads the nodes of one folder. Returns their number. */
    private int folder(String folder, Set<String> foreign, Set<String> unknown)
            throws KeeperException, InterruptedException {
        String path = root + "/" + folder;
        if (LockNameEncoding.decode(folder, text(handle.getData(path, false, null)))
                .isEmpty()) {
            foreign.add(path);
            return 0;
        }
        List<String> children = handle.getChildren(path, false);
        children.stream()
                .filter(child -> NodeName.parse(child) == null
                        && TokenFloorNode.parseAll(List.of(child)).isEmpty())
                .forEach(child -> foreign.add(path + "/" + child));
        LockQueue queue = LockQueue.of(children);
        for (NodeName holder : queue.holders().stream().limit(1).toList()) {
            String node = path + "/" + holder.text();
            if (!text(handle.getData(node, false, null)).startsWith(LAYOUT)) {
                unknown.add(node);
            }
        }
        return queue.holders().size() + queue.waiters().size();
    }

    private static String some(Set<String> paths) {
        String first = String.join(", ", paths.stream().limit(NAMED).toList());
        return paths.size() > NAMED ? first + " and " + (paths.size() - NAMED) + " more" : first;
    }

    private static String text(byte[] data) {
        return data == null ? "" : new String(data, StandardCharsets.UTF_8);
    }
}
