package io.hasp.zookeeper.recipe;

import io.hasp.zookeeper.session.FolderListing;
import io.hasp.zookeeper.session.RequestResult;
import org.jspecify.annotations.Nullable;

/**
 * The listing that goes with the create of an {@link EntryAttempt}. Its answer is used once the create has made a node. The answer
 * to the create comes first, unless the listing was not sent because the handle was closed in between. Thread-safe.
 */
final class EntryListing {
    private final EntryAttempt attempt;
    private final boolean deferred;
    private boolean needed;
    private int sent;
    private @Nullable RequestResult<FolderListing> early;

    /** A deferred listing is sent only when it is needed; the others are sent with the create. */
    EntryListing(EntryAttempt attempt, boolean deferred) {
        this.attempt = attempt;
        this.deferred = deferred;
    }

    /** Sends it behind the create. A create that is sent again, because its transaction failed, takes a new listing along. */
    void sendAlong() {
        if (!deferred) {
            send();
        }
    }

    /** The node exists: the attempt gets the answer, now or when it is there. */
    void need() {
        RequestResult<FolderListing> answer;
        synchronized (this) {
            needed = true;
            answer = early;
        }
        if (deferred) {
            send();
        } else if (answer != null) {
            attempt.listed(answer, false);
        }
    }

    private void send() {
        int number;
        synchronized (this) {
            number = ++sent;
            early = null;
        }
        attempt.session()
                .children(
                        attempt.folder().path(),
                        attempt.recallable(),
                        reply -> attempt.run(me -> answered(reply, number)));
    }

    private void answered(RequestResult<FolderListing> answer, int number) {
        synchronized (this) {
            if (number != sent) {
                return;
            }
            if (!needed) {
                early = answer;
                return;
            }
        }
        attempt.listed(answer, true);
    }
}
