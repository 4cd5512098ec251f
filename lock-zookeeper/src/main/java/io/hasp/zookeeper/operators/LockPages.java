package io.hasp.zookeeper.operators;

import io.hasp.spi.Inspector;
import io.hasp.spi.Inspector.Page;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.layout.LockNameEncoding;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.session.NodeReads;
import io.hasp.zookeeper.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
        return session.reads().children(root).thenApply(reply -> {
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
        return folders(all.subList(from, to), listing.prefix(), session)
                .thenCompose(folders -> reader.read(folders, session))
                .thenApply(contents -> new Page(contents, last ? "" : all.get(to - 1)));
    }

    /** The folders of locks that exist and have children. A shortened folder name does not show the lock's name, but the folder's data does. */
    private CompletableFuture<List<LockReader.Folder>> folders(List<String> names, String prefix, Session session) {
        return session.reads()
                .read(names.stream().map(name -> root + "/" + name).toList())
                .thenApply(replies -> {
                    List<LockReader.Folder> folders = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        if (!replies.get(i).noNode()) {
                            NodeReads.Content read =
                                    replies.get(i).orFail("read the lock at " + root + "/" + names.get(i));
                            LockNameEncoding.decode(names.get(i), read.text())
                                    .filter(lock -> lock.value().startsWith(prefix))
                                    .filter(lock -> read.stat().getNumChildren() > 0)
                                    .map(lock -> new LockReader.Folder(
                                            LockFolder.of(root, lock),
                                            read.stat().getNumChildren()))
                                    .ifPresent(folders::add);
                        }
                    }
                    return folders;
                });
    }
}
