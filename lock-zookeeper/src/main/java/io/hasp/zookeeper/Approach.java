package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.Place.Standing;
import io.hasp.zookeeper.Place.State;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The requests by which a {@link Place} finds out where it stands. Stateless but for the place.
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

    Approach(Place place, Folder folder, Session session) {
        this.place = place;
        this.folder = folder;
        this.session = session;
    }

    private String asked() {
        return "queue for the lock at " + folder.path();
    }

    /** The next step from what is known. Fails with a {@link BackendFailure}. */
    CompletableFuture<Standing> next() {
        if (place.succeeds()) {
            return place.reached(State.HELD, Standing.HELD);
        }
        return switch (place.state()) {
            case NONE ->
                enter(
                        session.create(folder.entry(place.holder())),
                        session.lastPlaces().alone(folder),
                        MOST_ENTRIES);
            case UNKNOWN -> recover();
            case QUEUED -> look();
            case HELD -> confirm();
            case VANISHED -> place.reached(State.VANISHED, Standing.GONE);
        };
    }

    /** The first step, giving up the node of an earlier holder in the same flight. */
    CompletableFuture<Standing> inPlaceOf(Place earlier) {
        return enter(
                session.replace(earlier.node(), folder.entry(place.holder())).thenApply(reply -> {
                    if (reply.ok()) {
                        earlier.replaced();
                    }
                    return reply;
                }),
                earlier.followed(),
                MOST_ENTRIES);
    }

    /**
     * Judges a new node.
     *
     * @param alone whether a listing will hardly be needed
     */
    private CompletableFuture<Standing> enter(
            CompletableFuture<Reply<Session.Created>> creation, boolean alone, int triesLeft) {
        Supplier<CompletableFuture<Reply<List<String>>>> listing = alone ? this::list : underWay(list());
        return creation.thenCompose(created -> {
            if (created.ok()) {
                place.entered(created.get().path(), created.get().czxid());
                LastPlaces.Last last = session.lastPlaces().before(created.get(), folder);
                if (last != null) {
                    place.follows(last);
                    return place.reached(State.HELD, Standing.HELD);
                }
                return withToken().thenCompose(known -> listing.get()).thenCompose(this::judge);
            }
            if (created.noNode() && triesLeft > 0) {
                session.lastPlaces().forget(folder);
                return enterNewFolder(triesLeft - 1);
            }
            if (Failures.outcome(created.code()) == BackendFailure.Outcome.UNKNOWN) {
                place.state(State.UNKNOWN);
            }
            throw Failures.of(created.code(), asked());
        });
    }

    private CompletableFuture<Reply<List<String>>> list() {
        return session.children(folder.path());
    }

    private static <T> Supplier<T> underWay(T answer) {
        return () -> answer;
    }

    /** Makes the folder and enters it, in one flight; it may be removed again in between. */
    private CompletableFuture<Standing> enterNewFolder(int triesLeft) {
        CompletableFuture<Code> folderMade = folder.make(session);
        CompletableFuture<Reply<Session.Created>> creation = session.create(folder.entry(place.holder()));
        return enter(
                folderMade.thenCombine(
                        creation,
                        (code, created) -> code == Code.OK || created.ok() ? created : Reply.of(code.intValue(), null)),
                false,
                triesLeft);
    }

    /** Old servers don't tell the transaction of a node that was created together with something else. */
    private CompletableFuture<?> withToken() {
        if (place.transaction() > 0) {
            return CompletableFuture.completedFuture(place);
        }
        return session.stat(place.node()).thenAccept(reply -> {
            place.entered(place.node(), reply.orFail(asked()).getCzxid());
        });
    }

    /** The answer to the creation got lost: an up-to-date listing tells whether it happened. */
    private CompletableFuture<Standing> recover() {
        return folder.find(place.holder(), session).thenCompose(found -> {
            if (found.isEmpty()) {
                place.state(State.NONE);
                return next();
            }
            return session.stat(found).thenCompose(reply -> {
                if (reply.noNode() || reply.orFail(asked()).getEphemeralOwner() != session.id()) {
                    return place.reached(State.VANISHED, Standing.GONE);
                }
                place.entered(found, reply.get().getCzxid());
                return look();
            });
        });
    }

    private CompletableFuture<Standing> look() {
        return withToken().thenCompose(known -> list()).thenCompose(this::judge);
    }

    private CompletableFuture<Standing> judge(Reply<List<String>> listing) {
        List<String> children = listing.noNode() ? List.of() : listing.orFail(asked());
        String own = Folder.name(place.node());
        Line.Position position = Line.position(children, own);
        place.above(Floor.under(own, children));
        if (position instanceof Line.Position.Behind behind) {
            return watch(folder.child(behind.predecessor()), behind.lowest());
        }
        if (position instanceof Line.Position.Exhausted) {
            return startFolderAnew();
        }
        return position instanceof Line.Position.First
                ? place.reached(State.HELD, Standing.HELD)
                : place.reached(State.VANISHED, Standing.GONE);
    }

    /**
     * The folder's sequence is used up: after two billion acquisitions without the pause in which ZooKeeper removes an empty
     * folder. Removing it by hand works as soon as nobody else is in it, and the sequence starts anew; the token does not.
     */
    private CompletableFuture<Standing> startFolderAnew() {
        CompletableFuture<Reply<Boolean>> own = session.delete(place.node());
        return session.delete(folder.path())
                .thenCombine(own, (emptied, left) -> left.ok() || left.noNode() ? emptied : left)
                .thenCompose(emptied -> {
                    if (emptied.code() == Code.NOTEMPTY) {
                        return folder.renew(session);
                    }
                    if (!emptied.ok() && !emptied.noNode()) {
                        throw Failures.of(emptied.code(), asked());
                    }
                    return CompletableFuture.completedFuture(true);
                })
                .thenCompose(empty -> {
                    if (!empty) {
                        return place.reached(State.VANISHED, Standing.UNORDERED);
                    }
                    place.state(State.NONE);
                    return next();
                });
    }

    /** The listing has answered already; what the watches find is told by a signal, and the next attempt sees it. */
    private CompletableFuture<Standing> watch(String predecessor, boolean lowest) {
        place.vigil().over(predecessor, lowest).whenComplete((outlook, failure) -> {
            if (outlook == Vigil.Outlook.OWN_GONE) {
                place.vanished();
            } else if (outlook != Vigil.Outlook.WAIT) {
                place.told(Signal.MAYBE_FREE);
            }
        });
        return place.reached(State.QUEUED, Standing.WAITING);
    }

    private CompletableFuture<Standing> confirm() {
        return session.check(List.of(place.node())).thenCompose(codes -> switch (codes.get(0)) {
            case OK -> place.reached(State.HELD, Standing.HELD);
            case NONODE -> place.reached(State.VANISHED, Standing.GONE);
            default -> throw Failures.of(codes.get(0), asked());
        });
    }
}
