package io.hasp.zookeeper.readers;

import io.hasp.zookeeper.layout.SharedOrder;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.FolderListing;
import io.hasp.zookeeper.session.RequestResult;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Checks that only readers came after a node of readers, so that more readers may join. The listing follows a {@code sync}: it shows
 * every writer that queued before, whichever server answers.
 *
 * <p>If the connection breaks between the two, the listing comes from another server, which may lag: it may miss a writer that queued
 * or a token floor that was raised, and show a node that is gone. So it counts only if the {@code sync} was answered before it.
 *
 * @param node is in the folder, as far as is known
 */
record ReadListing(LockNode node) {

    /** Either consumer is called, once. */
    void send(Consumer<Boolean> onlyReaders, Consumer<Throwable> failed) {
        try {
            CompletableFuture<Code> synced = node.session().syncWithLeader();
            node.session().children(node.folder().path(), false, listing -> {
                boolean answer;
                try {
                    answer = showsOnlyReaders(synced.getNow(Code.CONNECTIONLOSS), listing);
                } catch (RuntimeException | Error failure) {
                    failed.accept(failure);
                    return;
                }
                onlyReaders.accept(answer);
            });
        } catch (RuntimeException | Error failure) {
            failed.accept(failure);
        }
    }

    private boolean showsOnlyReaders(Code synced, RequestResult<FolderListing> listing) {
        String action = "list " + node.folder().path();
        if (synced != Code.OK) {
            throw ZooKeeperFailures.of(synced, action);
        }
        List<String> children =
                listing.noNode() ? List.of() : listing.orFail(action).children();
        if (!children.contains(node.name().text())) {
            node.vanished(node.path());
        }
        return SharedOrder.onlyReadersSince(children, node.name());
    }
}
