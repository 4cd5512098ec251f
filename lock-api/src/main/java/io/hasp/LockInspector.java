package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import io.hasp.engine.lease.FencingTokens;
import io.hasp.engine.threads.EngineClosedException;
import io.hasp.engine.threads.Failures;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.Spliterators;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Shows the locks of all clients of a service, and breaks a lock for an operator. Returned by {@link LockClient#inspector}. No acquisition,
 * renewal or release depends on it. Thread-safe.
 *
 * <p>Every call, and every step of a listing, blocks until the server has answered. It makes a few requests, one after the other, and each of
 * them waits at most for the backend's command timeout: the first one without an answer ends the call. An interrupt does not cut a call
 * short; it is kept for later. A service that can't be reached never looks like a service without locks: the call throws.
 */
public final class LockInspector {
    private final ClientContext client;
    private final Inspector inspector;

    LockInspector(ClientContext client, Inspector inspector) {
        this.client = client;
        this.inspector = inspector;
    }

    /**
     * Lists the locks in use: those with a holder or a waiter. The stream requests one page of at most {@value Inspector#MOST_ON_A_PAGE}
     * locks after the other, when its terminal operation needs the page, and stores one page at a time.
     *
     * <p>A lock that is in use during the whole listing is in the stream, unless its data moves to another server in that time: a slot of
     * a Redis cluster, or a lock that a node of Redlock takes over. A lock that comes or goes may be missing, and a lock may be in the stream
     * twice. The views are snapshots of different moments. The server takes a step for each key or
     * node, whatever the prefix; use {@link #lock} for one name.
     *
     * @param prefix the beginning of the names; empty for all locks
     * @return in no order; need not be closed. Its operations throw {@link BackendException} if the service refuses or does not answer, and
     *     {@link ClientClosedException} if the client is closed
     * @throws InvalidArgumentException if no lock name begins like this: null, longer than 512 UTF-8 bytes, or with NUL
     */
    public Stream<LockView> locks(String prefix) {
        if (!required("the prefix of lock names", prefix).isEmpty()) {
            LockClient.lockName(prefix);
        }
        return StreamSupport.stream(new Listing(prefix), false);
    }

    /**
     * Shows one lock.
     *
     * @param name the lock's name
     * @return empty if the lock has neither a holder nor a waiter
     * @throws InvalidArgumentException if the name is none
     * @throws BackendException if the service refuses or does not answer
     * @throws ClientClosedException if the client is closed
     */
    public Optional<LockView> lock(String name) {
        return found(LockClient.lockName(name)).map(LockViews::of);
    }

    /**
     * Ends the grant of one holder, in use or not. The next waiter is served at once, and later fencing tokens go on growing.
     *
     * <p>Nothing changes unless a holder has the lock under this token: if the lock changed hands since the operator looked, the new holder
     * keeps it. The former holder's lease becomes {@link LeaseState#LOST} when its client finds out: by a message of the server, or at its
     * next renewal, at most half of its lease later. A lease that is not renewed, or whose client can't reach the server, ends at its own
     * deadline. Until then the work of the former holder goes on, beside that of the next one, and other callers of its client may even be
     * handed the lock: only a store that checks fencing tokens is safe from it.
     *
     * @param name the lock's name
     * @param fencingToken {@link LockView.Holder#fencingToken}, or the token of any lease under the same grant
     * @return true if the grant was ended; false if no holder has the lock under this token
     * @throws InvalidArgumentException if the name is none, or if no lease can have this token; nothing was sent
     * @throws BackendException if the service refuses or does not answer; with {@link BackendException.Outcome#UNKNOWN} the grant may have
     *     been ended. Breaking it again is harmless
     * @throws ClientClosedException if the client is closed
     */
    public boolean breakLock(String name, long fencingToken) {
        LockName lock = LockClient.lockName(name);
        long token = FencingTokens.serverToken(fencingToken);
        if (!FencingTokens.canCarry(token)) {
            throw InvalidArgumentException.ofLock(
                    name, "the fencing token is " + fencingToken + ": no lease can have it");
        }
        return found(lock)
                .flatMap(content -> grants(content)
                        .filter(holder -> holder.token() == token)
                        .findAny())
                .map(holder ->
                        answer("could not break lock '" + name + "'", lock, () -> inspector.remove(lock, holder)))
                .orElse(false);
    }

    /** Where no majority confirms a holder, a grant of some nodes may be held, together with nodes that do not answer. */
    private static Stream<Inspector.Holder> grants(Inspector.Content lock) {
        return lock.holders().isEmpty()
                ? lock.nodes().stream().flatMap(node -> node.holders().stream())
                : lock.holders().stream();
    }

    private Optional<Inspector.Content> found(LockName lock) {
        return answer("could not read lock '" + lock + "'", lock, () -> inspector.find(lock));
    }

    private Inspector.Page page(String prefix, String cursor) {
        return answer("could not list the locks '" + prefix + "*'", null, () -> inspector.list(prefix, cursor));
    }

    private <T> T answer(String what, @Nullable LockName lock, Supplier<CompletionStage<T>> request) {
        if (client.engine.closing()) {
            throw client.closedException(lock);
        }
        try {
            return client.engine.inspect(request);
        } catch (CompletionException e) {
            if (e.getCause() instanceof EngineClosedException || client.engine.failure() != null) {
                throw client.closedException(lock);
            }
            throw ClientContext.failed(what, Failures.of(e), lock);
        }
    }

    /** Requests a page when the views of the former page are used up. */
    private final class Listing extends Spliterators.AbstractSpliterator<LockView> {
        private final String prefix;
        private Iterator<Inspector.Content> locks = Collections.emptyIterator();
        /** Empty before the first page; null after the last one. */
        private @Nullable String next = "";

        Listing(String prefix) {
            super(Long.MAX_VALUE, NONNULL | IMMUTABLE);
            this.prefix = prefix;
        }

        @Override
        public boolean tryAdvance(Consumer<? super LockView> action) {
            while (!locks.hasNext()) {
                String cursor = next;
                if (cursor == null) {
                    return false;
                }
                Inspector.Page page = page(prefix, cursor);
                locks = page.locks().iterator();
                next = page.next().isEmpty() ? null : page.next();
            }
            action.accept(LockViews.of(locks.next()));
            return true;
        }
    }
}
