package io.hasp.zookeeper;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper session: the requests of the recipe on its raw handle. Curator's background calls would retry, reorder and
 * repeat a create; the handle sends in the order of the calls and the server answers in that order, which is what lets several
 * requests share one flight. Thread-safe.
 *
 * <p>Every request is answered, in the order of the calls and on the session's event thread; but what is asked of a handle
 * that somebody closes fails at once, before what was asked earlier is answered. Requests of an undisturbed cycle call back; the
 * others are futures, which always complete normally. (Futures chained to each other were most of what a JVM had to compile for
 * this module, see docs/decisions/0015.) Callbacks must not throw: nobody would hear of it.
 */
final class Session {
    private static final byte[] NO_DATA = {};
    private static final String PROBE = "/probe";
    private static final int MOST_CHECKS = 200;
    private static final int MOST_CHECK_BYTES = 128 * 1024;

    /** A node that was created; {@code czxid} is 0 where an old server does not tell it. */
    record Created(String path, long czxid) {}

    private final ZooKeeper handle;
    private final List<ACL> acl;
    private final Timing timing;
    private final Confirmations confirmations;
    private final Watches watches;
    private final LastPlaces lastPlaces = new LastPlaces();
    private final AtomicBoolean ended = new AtomicBoolean();

    Session(ZooKeeper handle, List<ACL> acl, Timing timing) {
        this(handle, acl, timing, OptionalLong.empty());
    }

    /**
     * For a connected handle.
     *
     * @param madeAt a moment before the handle was made, if one is known
     */
    Session(ZooKeeper handle, List<ACL> acl, Timing timing, OptionalLong madeAt) {
        this.handle = handle;
        this.acl = acl;
        this.timing = timing;
        this.confirmations = new Confirmations(Duration.ofMillis(handle.getSessionTimeout()), madeAt);
        this.watches = new Watches(handle);
    }

    /** Whether this is the session of that handle: a handle has one session in its life. */
    boolean isOf(ZooKeeper other) {
        return handle == other && !ended.get();
    }

    long id() {
        return handle.getSessionId();
    }

    /** The negotiated timeout, the shortest one if it was negotiated again when the session was taken up by another server. */
    Duration timeout() {
        return confirmations().timeout();
    }

    /** With the timeout that was negotiated last; the handle has none while it is told that its session is over. */
    private Confirmations confirmations() {
        int millis = handle.getSessionTimeout();
        if (millis > 0) {
            confirmations.renegotiated(Duration.ofMillis(millis));
        }
        return confirmations;
    }

    Watches watches() {
        return watches;
    }

    LastPlaces lastPlaces() {
        return lastPlaces;
    }

    /** Until when the server certainly keeps this session, on the monotonic clock. */
    long deadline() {
        return confirmations().deadline(timing.nanoTime());
    }

    /** Whether {@link #deadline} was later once, and that moment has not come yet. */
    boolean promisedTooMuch() {
        return confirmations().promisedTooMuch(timing.nanoTime());
    }

    /** Never to be used for a new place again. True the first time. */
    boolean end() {
        return ended.compareAndSet(false, true);
    }

    boolean ended() {
        return ended.get();
    }

    void create(String path, byte[] data, Consumer<Reply<Created>> then) {
        long sentAt = timing.nanoTime();
        handle.create(
                path,
                data,
                acl,
                CreateMode.EPHEMERAL_SEQUENTIAL,
                (rc, asked, context, created, stat) ->
                        then.accept(acknowledged(sentAt, rc, rc == 0 ? new Created(created, stat.getCzxid()) : null)),
                null);
    }

    /** Creates a node that stays when the session ends; ZooKeeper appends the sequence. */
    CompletableFuture<Reply<String>> createForGood(String path) {
        CompletableFuture<Reply<String>> reply = new CompletableFuture<>();
        handle.create(
                path,
                NO_DATA,
                acl,
                CreateMode.PERSISTENT_SEQUENTIAL,
                (rc, asked, context, created) -> reply.complete(Reply.of(rc, created)),
                null);
        return reply;
    }

    /** Removes a folder with these children and makes it anew with others that stay, in one transaction. */
    CompletableFuture<Reply<Boolean>> renew(String folder, List<String> children, List<String> replacements) {
        List<Op> steps = new ArrayList<>();
        children.forEach(child -> steps.add(Op.delete(child, -1)));
        steps.add(Op.delete(folder, -1));
        steps.add(Op.create(folder, NO_DATA, acl, CreateMode.CONTAINER));
        replacements.forEach(child -> steps.add(Op.create(child, NO_DATA, acl, CreateMode.PERSISTENT_SEQUENTIAL)));
        CompletableFuture<Reply<Boolean>> reply = new CompletableFuture<>();
        handle.multi(
                steps,
                (rc, asked, context, results) -> reply.complete(Reply.of(rc, rc == 0 ? Boolean.TRUE : null)),
                null);
        return reply;
    }

    /**
     * Deletes one node and creates another in one transaction. In the results of a transaction, ZooKeeper's client leaves the
     * chroot of its connection in the paths, so only the name is taken from there.
     */
    void replace(String old, String path, byte[] data, Consumer<Reply<Created>> then) {
        long sentAt = timing.nanoTime();
        CreateOptions sequential =
                CreateOptions.newBuilder(acl, CreateMode.EPHEMERAL_SEQUENTIAL).build();
        handle.multi(
                List.of(Op.delete(old, -1), Op.create(path, data, sequential)),
                (rc, asked, context, results) ->
                        then.accept(acknowledged(sentAt, rc, rc == 0 ? created(path, results) : null)),
                null);
    }

    private static Created created(String asked, List<OpResult> results) {
        OpResult.CreateResult result = (OpResult.CreateResult) results.get(1);
        String folder = asked.substring(0, asked.lastIndexOf('/') + 1);
        return new Created(
                folder + Folder.name(result.getPath()),
                result.getStat() == null ? 0 : result.getStat().getCzxid());
    }

    /**
     * Creates nodes that ZooKeeper removes when they have lost their last child, each below the one before; in one transaction,
     * which leaves nothing unless this client may create, delete and read in the last one. A client whose own ACL shuts it out
     * would leave a node that nobody can use. If a step fails, the reply has its place.
     */
    CompletableFuture<Reply<Integer>> createContainers(List<String> paths) {
        String last = paths.get(paths.size() - 1);
        List<Op> steps = new ArrayList<>();
        paths.forEach(path -> steps.add(Op.create(path, NO_DATA, acl, CreateMode.CONTAINER)));
        steps.add(Op.create(last + PROBE, NO_DATA, acl, CreateMode.PERSISTENT));
        steps.add(Op.delete(last + PROBE, -1));
        steps.add(Op.check(last, -1));
        return transaction(steps);
    }

    void delete(String path, Consumer<Reply<Boolean>> then) {
        long sentAt = timing.nanoTime();
        handle.delete(path, -1, (rc, asked, context) -> then.accept(acknowledged(sentAt, rc, rc == 0)), null);
    }

    void children(String folder, Consumer<Reply<List<String>>> then) {
        handle.getChildren(folder, false, (rc, asked, context, children) -> then.accept(Reply.of(rc, children)), null);
    }

    /** Asks the leader for an answer, which costs no transaction. It says nothing of nodes, and need not be a quorum's. */
    CompletableFuture<Code> signOfLife() {
        long sentAt = timing.nanoTime();
        CompletableFuture<Code> reply = new CompletableFuture<>();
        handle.sync(
                "/",
                (rc, asked, context) ->
                        reply.complete(acknowledged(sentAt, rc, asked).code()),
                null);
        return reply;
    }

    CompletableFuture<Reply<Stat>> stat(String path) {
        CompletableFuture<Reply<Stat>> reply = new CompletableFuture<>();
        handle.getData(path, false, (rc, asked, context, data, stat) -> reply.complete(Reply.of(rc, stat)), null);
        return reply;
    }

    /** Reads a node, and if it exists, leaves a watch on it. */
    void watch(String path, Consumer<Code> then) {
        handle.getData(
                path,
                watches,
                (rc, asked, context, data, stat) ->
                        then.accept(Reply.of(rc, stat).code()),
                null);
    }

    /**
     * Checks by a quorum transaction, which fires no watches, that nodes exist: a read would be answered by a server that is
     * cut off from its quorum. One code for each path, in the same order.
     */
    CompletableFuture<List<Code>> check(List<String> paths) {
        List<CompletableFuture<List<Code>>> batches = new ArrayList<>();
        int from = 0;
        int bytes = 0;
        for (int i = 0; i < paths.size(); i++) {
            bytes += paths.get(i).length();
            if (i + 1 == paths.size() || i + 1 - from == MOST_CHECKS || bytes > MOST_CHECK_BYTES) {
                batches.add(checkBatch(paths.subList(from, i + 1)));
                from = i + 1;
                bytes = 0;
            }
        }
        return Futures.all(batches)
                .thenApply(codes -> codes.stream().flatMap(List::stream).toList());
    }

    /**
     * A transaction fails as a whole at the first node that is missing or may not be read, and tells which: those before it are
     * there, those behind it are asked for again. A client that gives many locks back while it renews many has some missing in
     * every batch.
     */
    private CompletableFuture<List<Code>> checkBatch(List<String> paths) {
        if (paths.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return transaction(paths.stream().map(path -> Op.check(path, -1)).toList())
                .thenCompose(reply -> {
                    if (!ofOneNode(reply.code()) || reply.value() == null) {
                        return CompletableFuture.completedFuture(Collections.nCopies(paths.size(), reply.code()));
                    }
                    int failed = reply.get();
                    return checkBatch(paths.subList(failed + 1, paths.size())).thenApply(behind -> {
                        List<Code> codes = new ArrayList<>(Collections.nCopies(failed, Code.OK));
                        codes.add(reply.code());
                        codes.addAll(behind);
                        return codes;
                    });
                });
    }

    /** If a step fails, the reply has its place. */
    private CompletableFuture<Reply<Integer>> transaction(List<Op> steps) {
        long sentAt = timing.nanoTime();
        CompletableFuture<Reply<Integer>> reply = new CompletableFuture<>();
        handle.multi(
                steps,
                (rc, asked, context, results) -> reply.complete(acknowledged(sentAt, rc, firstFailed(results))),
                null);
        return reply;
    }

    private static @Nullable Integer firstFailed(@Nullable List<OpResult> results) {
        for (int i = 0; results != null && i < results.size(); i++) {
            if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.OK.intValue()) {
                return i;
            }
        }
        return null;
    }

    /** Refusals that the leader finds in a node, and that say nothing of the others or of the session. */
    private static boolean ofOneNode(Code code) {
        return code == Code.NONODE || code == Code.NOAUTH;
    }

    private <T> Reply<T> acknowledged(long sentAt, int rc, @Nullable T value) {
        Reply<T> reply = Reply.of(rc, value);
        if (reply.ok() || ofOneNode(reply.code())) {
            confirmations().answered(sentAt, timing.nanoTime());
        }
        return reply;
    }
}
