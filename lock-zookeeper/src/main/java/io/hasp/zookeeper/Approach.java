package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.zookeeper.Place.Standing;
import io.hasp.zookeeper.Place.State;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a {@link Place} to find out where it stands: the requests, and what their answers mean.
 *
 * <p>Entering costs one flight: create and listing, back to back. Requests of a session are served in order, so the listing
 * sees the node. Who comes back to a folder that nobody else uses needs none, see {@link LastPlaces}. Waiting costs a second
 * flight, see {@link Vigil}, but the answer does not wait for it.
 */
final class Approach {
    private static final int MOST_ENTRIES = 5;

    private final Place place;
    private final Folder folder;
    private final Session session;
    private final CompletableFuture<Standing> standing = new CompletableFuture<>();

    Approach(Place place) {
        this.place = place;
        this.folder = place.folder();
        this.session = place.session();
    }

    /** What it comes to, told when the place is ready for the next attempt; fails with a {@link BackendFailure}. */
    CompletableFuture<Standing> standing() {
        return standing;
    }

    /**
     * Takes a step, whose failure is the attempt's: on ZooKeeper's thread nobody else would hear of it. None follows a failure:
     * what the requests under way make is found by whoever gives the place up.
     */
    void take(Consumer<Approach> step) {
        if (standing.isDone()) {
            return;
        }
        try {
            step.accept(this);
        } catch (RuntimeException | Error failure) {
            failed(failure);
        }
    }

    private <T> void after(CompletableFuture<T> asked, Consumer<T> next) {
        asked.whenComplete((answer, failure) -> {
            if (failure == null) {
                take(me -> next.accept(answer));
            } else {
                failed(Failures.cause(failure));
            }
        });
    }

    private void failed(Throwable failure) {
        boolean noNode = place.state() == State.NONE;
        place.over(this);
        standing.completeExceptionally(noNode ? failure : Failures.afterCreation(failure));
    }

    private void reached(State now, Standing found) {
        Standing reached = place.reached(now, found);
        place.over(this);
        standing.complete(reached);
    }

    private String asked() {
        return "queue for the lock at " + folder.path();
    }

    /** The next step from what is known. */
    void next() {
        if (place.succeeds()) {
            first();
            return;
        }
        switch (place.state()) {
            case NONE -> enter();
            case UNKNOWN -> recover();
            case QUEUED -> new Listing(true).counts();
            case HELD -> confirm();
            case VANISHED -> reached(State.VANISHED, Standing.GONE);
        }
    }

    private void enter() {
        Listing listing = new Listing(session.lastPlaces().alone(folder));
        create(reply -> take(me -> created(reply, listing, MOST_ENTRIES)));
        listing.goesAlong();
    }

    /** Until the answer is there, and if it never comes, there may be a node. */
    private void create(Consumer<Reply<Session.Created>> then) {
        place.state(State.UNKNOWN);
        session.create(folder.entry(place.holder()), Origin.describe(), then);
    }

    /** The first step, giving up the node of an earlier holder in the same flight. A holder that has a node keeps it. */
    void inPlaceOf(Place earlier) {
        if (place.state() != State.NONE) {
            next();
            return;
        }
        Listing listing = new Listing(earlier.followed());
        place.state(State.UNKNOWN);
        earlier.replacing();
        session.replace(
                earlier.node(),
                folder.entry(place.holder()),
                Origin.describe(),
                reply -> take(me -> {
                    if (reply.ok()) {
                        earlier.replaced();
                    } else if (Failures.outcome(reply.code()) == BackendFailure.Outcome.NOT_APPLIED) {
                        earlier.stays();
                    }
                    created(reply, listing, MOST_ENTRIES);
                }));
        listing.goesAlong();
    }

    /** Judges a new node. */
    private void created(Reply<Session.Created> created, Listing listing, int triesLeft) {
        if (created.ok()) {
            place.entered(created.get().path(), created.get().czxid());
            LastPlaces.Last last = session.lastPlaces().before(created.get(), folder);
            if (last != null) {
                place.follows(last);
                first();
            } else {
                listing.counts();
            }
        } else if (created.noNode() && triesLeft > 0) {
            session.lastPlaces().forget(folder);
            enterNewFolder(triesLeft - 1);
        } else {
            if (Failures.outcome(created.code()) == BackendFailure.Outcome.NOT_APPLIED) {
                place.state(State.NONE);
            }
            throw Failures.of(created.code(), asked());
        }
    }

    /** Makes the folder, from the second try on with all above it, and enters it, in one flight; it may be removed in between. */
    private void enterNewFolder(int triesLeft) {
        Listing listing = new Listing(false);
        CompletableFuture<Code> folderMade =
                triesLeft == MOST_ENTRIES - 1 ? folder.make(session) : folder.makeAll(session);
        create(reply -> after(
                folderMade,
                made -> created(
                        reply.noNode() && made != Code.OK ? Reply.of(made.intValue(), null) : reply,
                        listing,
                        triesLeft)));
        listing.goesAlong();
    }

    /** The answer to the creation got lost: an up-to-date listing tells whether it happened. */
    private void recover() {
        after(folder.find(place.holder(), session), found -> {
            if (found.isEmpty()) {
                place.state(State.NONE);
                next();
            } else {
                after(session.stat(found), reply -> {
                    if (reply.noNode() || reply.orFail(asked()).getEphemeralOwner() != session.id()) {
                        reached(State.VANISHED, Standing.GONE);
                    } else {
                        place.entered(found, reply.get().getCzxid());
                        new Listing(true).counts();
                    }
                });
            }
        });
    }

    /**
     * A listing in the flight of a create, which counts once the create has made a node. Mostly it is answered behind it; in
     * front of it only if it was not sent, because somebody closed the handle in between.
     */
    private final class Listing {
        private final boolean late;
        private boolean counts;
        private @Nullable Reply<List<String>> early;

        /** One that goes along, or is late: asked for only when it counts. */
        Listing(boolean late) {
            this.late = late;
        }

        void goesAlong() {
            if (!late) {
                send();
            }
        }

        void counts() {
            Reply<List<String>> answer;
            synchronized (this) {
                counts = true;
                answer = early;
            }
            if (late) {
                send();
            } else if (answer != null) {
                listed(answer);
            }
        }

        private void send() {
            session.children(folder.path(), reply -> take(me -> answered(reply)));
        }

        private void answered(Reply<List<String>> answer) {
            synchronized (this) {
                if (!counts) {
                    early = answer;
                    return;
                }
            }
            listed(answer);
        }
    }

    /** Judges the line. */
    private void listed(Reply<List<String>> listing) {
        List<String> children = listing.noNode() ? List.of() : listing.orFail(asked());
        String own = Folder.name(place.node());
        place.above(Floor.under(own, children));
        Line.Position position = Line.position(children, own);
        if (position instanceof Line.Position.Behind behind) {
            // What the watches find is told by a signal, and the next attempt sees it.
            place.vigil().over(folder.child(behind.predecessor()), behind.lowest());
            reached(State.QUEUED, Standing.WAITING);
        } else if (position instanceof Line.Position.Exhausted) {
            startFolderAnew();
        } else if (position instanceof Line.Position.First) {
            first();
        } else {
            reached(State.VANISHED, Standing.GONE);
        }
    }

    /** Nobody is before it. Old servers don't tell the transaction of a node that was created together with something else. */
    private void first() {
        if (place.transaction() > 0) {
            reached(State.HELD, Standing.HELD);
            return;
        }
        after(session.stat(place.node()), reply -> {
            if (reply.noNode()) {
                reached(State.VANISHED, Standing.GONE);
            } else {
                place.createdBy(reply.orFail(asked()).getCzxid());
                reached(State.HELD, Standing.HELD);
            }
        });
    }

    /**
     * The folder's sequence is used up: after two billion acquisitions without the pause in which ZooKeeper removes an empty
     * folder. Removing it by hand works as soon as nobody else is in it, and the sequence starts anew; the token does not.
     */
    private void startFolderAnew() {
        CompletableFuture<Reply<Boolean>> own = Futures.of(then -> session.delete(place.node(), then));
        CompletableFuture<Reply<Boolean>> removed = Futures.of(then -> session.delete(folder.path(), then));
        CompletableFuture<Boolean> empty = removed.thenCombine(
                        own, (emptied, left) -> left.ok() || left.noNode() ? emptied : left)
                .thenCompose(emptied -> {
                    if (emptied.code() == Code.NOTEMPTY) {
                        return folder.renew(session);
                    }
                    if (!emptied.ok() && !emptied.noNode()) {
                        throw Failures.of(emptied.code(), asked());
                    }
                    return CompletableFuture.completedFuture(true);
                });
        after(empty, anew -> {
            if (anew) {
                place.state(State.NONE);
                next();
            } else {
                reached(State.VANISHED, Standing.UNORDERED);
            }
        });
    }

    private void confirm() {
        after(session.check(List.of(place.node())), codes -> {
            switch (codes.get(0)) {
                case OK -> reached(State.HELD, Standing.HELD);
                case NONODE -> reached(State.VANISHED, Standing.GONE);
                default -> throw Failures.of(codes.get(0), asked());
            }
        });
    }
}
