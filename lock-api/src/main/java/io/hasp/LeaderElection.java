package io.hasp;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A candidate in an election: of all candidates of a name, in all processes, one at a time leads. Created by {@link LockClient#election};
 * nothing is sent before the first {@link #run}, {@link #join} or {@link #await}. Thread-safe.
 *
 * <pre>{@code
 * LeaderElection election = locks.election("reports");
 * election.run(term -> {
 *     while (!Thread.interrupted()) {
 *         store.write(nextReport(), term.fencingToken());
 *     }
 * });
 * }</pre>
 *
 * <p>A candidate queues for the exclusive lock of the election's name; the leader holds that lock. So {@link LockClient#lock lock(name)} of
 * any client excludes leaders, and the fencing tokens of both are in one order. Clients are elected in the order in which they came, where
 * the backend keeps that order ({@link LockCapabilities#ordering}); a candidate that resigned goes to the end. Candidates of one client may
 * pass the lock between them first ({@link ClientOptions#handOff}).
 *
 * <p><strong>Guaranteed:</strong> the terms of one election never overlap, by the clocks of the leaders, as long as these clocks run at the
 * same speed. The work of a term is interrupted before another candidate can be elected.
 *
 * <p><strong>Not guaranteed:</strong> a process that stands still (a long garbage collection, a suspended machine) may act after its term,
 * until its first look at the clock, and work may ignore its interrupt. So the term has a {@linkplain Term#fencingToken fencing token}. If
 * the server loses the lock ({@link LockCapabilities#survives}), or an administrator deletes it, another candidate is elected before the
 * leader finds out.
 *
 * <p>The calls of an election never block a renewal: work runs on a thread of its own, and listeners on executors of the program.
 */
public interface LeaderElection extends AutoCloseable {

    /**
     * Returns the name of the election.
     *
     * @return the election's name
     */
    String name();

    /**
     * Returns the name of this candidate for people. It is in log lines.
     *
     * @return the label of the options; the client's if they have none
     */
    String label();

    /**
     * Runs work in each term of this candidate, from now until {@link #close}. Returns at once: the work runs on a thread of its own. The
     * term ends when the work returns, and the candidate is at the end of the queue again. If the work throws, the candidate queues again
     * after the {@linkplain ElectionOptions#pause pause}.
     *
     * <p>The work is interrupted when its term ends: by {@link #resign}, by {@link #close}, or by the loss of the lock. Its lock is released
     * only when the work has ended, so work that ignores the interrupt of a resignation delays the next leader. The candidate queues again
     * once its work has ended.
     *
     * @param work called once in each term; if the candidate leads already, at once
     * @throws InvalidArgumentException if the work is null, or the election has work already
     * @throws ClientClosedException if the election or its client is closed
     */
    void run(TermAction work);

    /**
     * Becomes a candidate without work, for a program that looks at {@link #isLeader} or waits for a change. The candidate leads from its
     * election until it {@linkplain #resign resigns}, is closed, or loses the lock; then it queues again. Returns at once. Idempotent.
     *
     * @throws ClientClosedException if the election or its client is closed
     */
    void join();

    /**
     * Waits until this candidate leads. {@linkplain #join Joins} the election first.
     *
     * @param wait zero or more; zero returns the present term, if there is one. More than 36 years means without limit
     * @return the term, which may have ended since; empty if the candidate was not elected in time. An outage is such a reason: the candidate
     *     goes on asking
     * @throws InterruptedException if interrupted, before or during the wait; the candidate stays in the queue
     * @throws InvalidArgumentException if the wait is negative or null
     * @throws ClientClosedException if the election or its client is closed, before or during the wait
     */
    Optional<Term> await(Duration wait) throws InterruptedException;

    /**
     * Returns true if this candidate leads, as far as its client knows. Computed from the local deadline at each call. No I/O. Not
     * guaranteed: anything after the return.
     *
     * @return false after the end of the term, whatever replies are still on their way
     */
    default boolean isLeader() {
        return term().isPresent();
    }

    /**
     * Returns the present term of this candidate. No I/O.
     *
     * @return empty if {@link #isLeader} is false
     */
    Optional<Term> term();

    /**
     * Ends the present term: interrupts its work, and hands the lock over once the work has ended; at once if there is none. The candidate
     * goes to the end of the queue. Returns at once, on any thread; work that resigns itself is not interrupted.
     *
     * @return false if this candidate did not lead
     */
    boolean resign();

    /**
     * Notifies a listener of each later begin and end of a term of this candidate, in their order, one at a time. The end of a term is
     * reported when it is known; for a resignation, that is before the next leader is elected, though the listener may run later. If the
     * candidate leads already, the listener is notified of that first.
     *
     * @param executor runs the listener, which may block there. If it rejects the task, the client logs that, and the listener misses
     *     changes. If it runs the task on the spot, a listener that blocks delays the next term of this candidate, and the hand-over
     * @param listener receives the changes; its exceptions are logged
     * @return ends the notifications
     * @throws InvalidArgumentException if an argument is null
     */
    Registration onChange(Executor executor, Consumer<LeaderChange> listener);

    /**
     * Resigns, and leaves the queue for good. Waits until the interrupted work has ended and the lock is released, at most for {@link
     * ClientOptions#closeWithin}. Work that goes on keeps its lock until it ends. Called by the work itself, or by a listener whose
     * executor runs it on the spot, the method does not wait. An interrupt does not cut the method short; it is kept for later. Idempotent.
     *
     * <p>A candidate that has joined stays in the election until it is closed, also if the program keeps no reference to it.
     *
     * <p>The end of the client does the same for all of its elections, in {@link LockClient#close}, before it waits for other work.
     */
    @Override
    void close();
}
