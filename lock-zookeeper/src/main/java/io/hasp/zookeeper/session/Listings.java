package io.hasp.zookeeper.session;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Lists folders. The client library breaks its connection at an answer above its limit, one megabyte by default, and all locks of the
 * session depend on that connection. So a folder whose listing broke the connection is not listed again before its number of children
 * is known, and not at all while the list may be too long: that call fails, and the others go on. Thread-safe.
 */
final class Listings {
    /** Bytes of a child's name in an answer, at least for the nodes of this library. */
    private static final int SHORT_NAME = 32;

    /** The same for a folder that was expected to fit, and broke the connection again. */
    private static final int LONG_NAME = 128;

    /** The client library's own. */
    private static final int DEFAULT_LIMIT = 0xfffff;

    private final ZooKeeper handle;
    private final boolean limited;
    /** The assumed length of a name, for folders whose last listing had no answer. */
    private final Map<String, Integer> unanswered = new ConcurrentHashMap<>();

    /**
     * Of a handle.
     *
     * @param limited whether the limit is the application's; the clients of this library accept very long lists
     */
    Listings(ZooKeeper handle, boolean limited) {
        this.handle = handle;
        this.limited = limited;
    }

    /** Sends the request; the consumer is called once. */
    void send(String folder, @Nullable Watcher watcher, Consumer<RequestResult<FolderListing>> then) {
        Integer bytesOfName = limited ? unanswered.get(folder) : null;
        if (bytesOfName == null) {
            list(folder, watcher, SHORT_NAME, then);
            return;
        }
        handle.exists(
                folder,
                false,
                (rc, asked, context, stat) -> {
                    if (rc != Code.OK.intValue()) {
                        then.accept(RequestResult.of(rc, null));
                    } else if ((long) stat.getNumChildren() * bytesOfName > limit()) {
                        then.accept(RequestResult.failed(
                                Code.MARSHALLINGERROR,
                                ZooKeeperFailures.tooManyChildren(folder, stat.getNumChildren(), limit())));
                    } else {
                        list(folder, watcher, LONG_NAME, then);
                    }
                },
                null);
    }

    /** True if the answer to {@link #ofSession} certainly fits, when its nodes have paths of so many bytes. */
    boolean fits(long bytesOfPaths) {
        long withChroot = bytesOfPaths * 3 / 2;
        return !limited || withChroot <= limit();
    }

    /** The paths of the session's own nodes below a node, with the chroot. The server asks for no permission. */
    void ofSession(String root, Consumer<RequestResult<List<String>>> then) {
        handle.getEphemerals(root, (rc, context, paths) -> then.accept(RequestResult.of(rc, paths)), null);
    }

    private void list(
            String folder,
            @Nullable Watcher watcher,
            int bytesOfNameIfUnanswered,
            Consumer<RequestResult<FolderListing>> then) {
        AsyncCallback.Children2Callback listed = (rc, asked, context, children, stat) -> {
            if (limited && rc == Code.CONNECTIONLOSS.intValue()) {
                unanswered.put(folder, bytesOfNameIfUnanswered);
            } else if (rc == Code.OK.intValue()) {
                unanswered.remove(folder);
            }
            boolean ok = rc == Code.OK.intValue();
            then.accept(RequestResult.of(rc, ok ? new FolderListing(children, stat.getPzxid(), created(stat)) : null));
        };
        if (watcher != null) {
            handle.getChildren(folder, watcher, listed, null);
        } else {
            handle.getChildren(folder, false, listed, null);
        }
    }

    /** ZooKeeper reports the number of creations and deletions together. */
    private static long created(Stat folder) {
        long creations = (long) folder.getCversion() + folder.getNumChildren();
        return creations < 0 || creations % 2 != 0 ? -1 : creations / 2;
    }

    private int limit() {
        return handle.getClientConfig().getInt(ZKClientConfig.JUTE_MAXBUFFER, DEFAULT_LIMIT);
    }
}
