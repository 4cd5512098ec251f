package io.hasp.zookeeper.operators;

import io.hasp.spi.Inspector;
import io.hasp.spi.Inspector.Content;
import io.hasp.spi.Inspector.Page;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.layout.LockNameEncoding;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.NodeReads;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Lists locks in pages. ZooKeeper lists a node's children only as a whole, so the first page costs one listing of all folders: about 60 bytes
 * of memory for each folder in the client until the last page, and several times as much while the answer is read. Later pages use that
 * listing, unless it is older than a minute or was for another prefix. Thread-safe.
 *
 * <p>The cursor is the name of the last folder of the page before, in the order of names. So a page can be read from any later listing.
 */
final class LockPages {
    private static final Duration LONGEST_USE = Duration.ofMinutes(1);

    /** The folders that are read at the same time. */
    private static final int AT_ONCE = 16;

    private final String root;
    private final LockReader reader;
    private final Timing timing;
    private volatile @Nullable Listing latest;

    LockPages(String root, LockReader reader, Timing timing) {
        this.root = root;
        this.reader = reader;
        this.timing = timing;
    }

    /** The sorted names of the folders whose locks may begin with a prefix. */
    private record Listing(String prefix, List<String> folders, long readAt) {}

    /** Reads the page behind the cursor; the first one if that is empty. */
    CompletableFuture<Page> read(String prefix, String cursor, Session session) {
        return listing(prefix, cursor, session).thenCompose(listing -> page(listing, cursor, session));
    }

    private CompletableFuture<Listing> listing(String prefix, String cursor, Session session) {
        Listing known = latest;
        if (known != null
                && !cursor.isEmpty()
                && known.prefix().equals(prefix)
                && timing.nanoTime() - known.readAt() < LONGEST_USE.toNanos()) {
            return CompletableFuture.completedFuture(known);
        }
        long now = timing.nanoTime();
        return session.reads().folders(root).thenApply(reply -> {
            List<String> all = reply.noNode() ? List.of() : reply.orFail("list the locks below " + root);
            Listing listing = new Listing(
                    prefix,
                    all.stream()
                            .filter(folder -> LockNameEncoding.mayBeginWith(prefix, folder))
                            .sorted()
                            .toList(),
                    now);
            latest = listing;
            return listing;
        });
    }

    private CompletableFuture<Page> page(Listing listing, String cursor, Session session) {
        List<String> all = listing.folders();
        int found = Collections.binarySearch(all, cursor);
        int from = found < 0 ? -found - 1 : found + 1;
        int to = Math.min(all.size(), from + Inspector.MOST_ON_A_PAGE);
        boolean last = to == all.size();
        if (last) {
            latest = null;
        }
        List<String> folders = all.subList(from, to);
        return locks(folders, listing.prefix(), session)
                .thenCompose(locks -> contents(locks, session))
                .thenApply(contents -> new Page(contents, last ? "" : all.get(to - 1)));
    }

    /** The locks of these folders. A shortened folder name does not show the lock's name, but the folder's data does. */
    private CompletableFuture<List<LockFolder>> locks(List<String> folders, String prefix, Session session) {
        List<String> shortened =
                folders.stream().filter(LockNameEncoding::isShortened).toList();
        return session.reads()
                .read(shortened.stream().map(folder -> root + "/" + folder).toList())
                .thenApply(replies -> {
                    List<LockFolder> locks = new ArrayList<>();
                    for (String folder : folders) {
                        int index = shortened.indexOf(folder);
                        String data = index < 0 ? "" : dataOf(folder, replies.get(index));
                        LockNameEncoding.decode(folder, data)
                                .filter(lock -> lock.value().startsWith(prefix))
                                .ifPresent(lock -> locks.add(LockFolder.of(root, lock)));
                    }
                    return locks;
                });
    }

    private String dataOf(String folder, RequestResult<NodeReads.Content> reply) {
        return reply.noNode()
                ? ""
                : reply.orFail("read the folder " + root + "/" + folder).text();
    }

    /** Reads the folders, some at a time. */
    private CompletableFuture<List<Content>> contents(List<LockFolder> locks, Session session) {
        List<CompletableFuture<List<Content>>> lanes = new ArrayList<>();
        for (int lane = 0; lane < Math.min(AT_ONCE, locks.size()); lane++) {
            lanes.add(contents(locks, lane, session, new ArrayList<>()));
        }
        return CompletableFutures.allOf(lanes)
                .thenApply(all -> all.stream().flatMap(List::stream).toList());
    }

    private CompletableFuture<List<Content>> contents(
            List<LockFolder> locks, int index, Session session, List<Content> read) {
        if (index >= locks.size()) {
            return CompletableFuture.completedFuture(read);
        }
        CompletableFuture<Optional<Content>> next = reader.read(locks.get(index), session);
        return next.thenCompose(content -> {
            content.ifPresent(read::add);
            return contents(locks, index + AT_ONCE, session, read);
        });
    }
}
