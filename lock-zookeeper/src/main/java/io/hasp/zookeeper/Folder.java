package io.hasp.zookeeper;

import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * The container node of one lock, whose children are the lock's holder and waiters.
 *
 * @param lock the lock
 * @param path where it is
 */
record Folder(LockName lock, String path) {
    private static final int MOST_TRIES = 5;

    static Folder of(String root, LockName lock) {
        return new Folder(lock, root + "/" + NodeNames.of(lock));
    }

    /** The path that a holder's node is created with; ZooKeeper appends the sequence. */
    String entry(HolderId holder) {
        return child(Line.prefix(holder));
    }

    String child(String name) {
        return path + "/" + name;
    }

    static String name(String child) {
        return child.substring(child.lastIndexOf('/') + 1);
    }

    /** Makes this node if the one above it is there. OK if it is there then, otherwise the reason. */
    CompletableFuture<Code> make(Session session) {
        return session.createContainers(List.of(path)).thenApply(reply -> made(List.of(reply)));
    }

    /**
     * Makes this node and those above it, in one flight: with none of those above, with one, and so on. At most one of these
     * finds what it needs, all that it makes missing and the rest there. OK if this node is there then, otherwise the reason.
     */
    CompletableFuture<Code> makeAll(Session session) {
        List<CompletableFuture<Reply<Integer>>> tries = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String level = path; !level.isEmpty(); level = level.substring(0, level.lastIndexOf('/'))) {
            missing.add(0, level);
            tries.add(session.createContainers(missing));
        }
        return Futures.all(tries).thenApply(this::made);
    }

    private Code made(List<Reply<Integer>> tries) {
        if (tries.get(0).code() == Code.NODEEXISTS || tries.stream().anyMatch(Reply::ok)) {
            return Code.OK;
        }
        Reply<Integer> refusal = tries.stream()
                .filter(reply -> !reply.noNode() && reply.code() != Code.NODEEXISTS)
                .findFirst()
                .orElse(Reply.of(Code.NONODE.intValue(), null));
        // What was refused behind the first step was to happen in a node that the first step would have made.
        if (refusal.code() == Code.NOAUTH && refusal.value() != null && refusal.value() > 0) {
            throw Failures.shutOut(path);
        }
        return refusal.code();
    }

    private CompletableFuture<Reply<List<String>>> list(Session session) {
        return Futures.of(then -> session.children(path, then));
    }

    /**
     * The path of a holder's node, or an empty text, after everything the leader did before. The check is a quorum
     * transaction: unlike {@code sync} it can't be answered by a leader that has been replaced without knowing it.
     */
    CompletableFuture<String> find(HolderId holder, Session session) {
        String asked = "look for holder " + holder + " at " + path;
        CompletableFuture<List<Code>> barrier = session.check(List.of(path));
        return list(session).thenCombine(barrier, (listing, codes) -> {
            if (codes.get(0) == Code.NONODE) {
                return "";
            }
            if (codes.get(0) != Code.OK) {
                throw Failures.of(codes.get(0), asked);
            }
            return Line.find(listing.orFail(asked), holder).map(this::child).orElse("");
        });
    }

    /**
     * Makes all later tokens larger than a number. Holders that come later have a transaction id above every change of the
     * folder until now, so the offset need only fill the gap. Completes when it is there.
     */
    CompletableFuture<Void> raiseFloor(long number, Session session) {
        return raiseFloor(number, session, MOST_TRIES);
    }

    /** Somebody may make a node above between two tries of {@link #makeAll}, so that none of them fits. */
    private CompletableFuture<Void> raiseFloor(long number, Session session, int triesLeft) {
        CompletableFuture<Code> made = makeAll(session);
        CompletableFuture<Reply<Stat>> stat = session.stat(path);
        return made.thenCompose(code -> code == Code.NONODE && triesLeft > 1
                ? raiseFloor(number, session, triesLeft - 1)
                : raiseFloorOf(code, stat, number, session));
    }

    private CompletableFuture<Void> raiseFloorOf(
            Code made, CompletableFuture<Reply<Stat>> stat, long number, Session session) {
        String asked = "raise the token floor at " + path;
        if (made != Code.OK) {
            throw Failures.of(made, asked);
        }
        return list(session)
                .thenCombine(stat, (listing, folder) -> {
                    List<String> children = listing.orFail(asked);
                    long offset = number - folder.orFail(asked).getPzxid();
                    return offset > Floor.offset(children)
                            ? session.createForGood(child(Floor.prefix(offset))).thenCompose(created -> {
                                created.orFail(asked);
                                return list(session);
                            })
                            : CompletableFuture.completedFuture(listing);
                })
                .thenCompose(listing -> listing)
                .thenCompose(listing -> Futures.all(Floor.outdated(listing.orFail(asked)).stream()
                        .map(floor -> Futures.<Reply<Boolean>>of(then -> session.delete(child(floor.node()), then)))
                        .toList()))
                .thenAccept(tidied -> {});
    }

    /**
     * Makes a folder anew in which nothing but token floors is left: its sequence begins again, the floors stay. False if
     * somebody else is in it.
     */
    CompletableFuture<Boolean> renew(Session session) {
        String asked = "make the folder " + path + " anew";
        return list(session).thenCompose(listing -> {
            List<Floor> floors = Floor.among(listing.orFail(asked));
            if (floors.size() < listing.get().size()) {
                return CompletableFuture.completedFuture(false);
            }
            return session.renew(
                            path,
                            floors.stream().map(floor -> child(floor.node())).toList(),
                            floors.stream()
                                    .map(floor -> child(Floor.prefix(floor.offset())))
                                    .toList())
                    .thenApply(reply -> {
                        if (!reply.ok() && !reply.noNode() && reply.code() != Code.NOTEMPTY) {
                            throw Failures.of(reply.code(), asked);
                        }
                        return reply.ok();
                    });
        });
    }
}
