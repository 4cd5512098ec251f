package io.hasp.test;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.DistributedReadWriteLock;
import io.hasp.LockClient;
import io.hasp.memory.MemoryLink;
import io.hasp.memory.MemoryServer;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendSource;
import io.hasp.spi.LockBackend;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A lock service in memory for one test, with a client for the code under test. The test makes locks busy, loses leases, stops the service
 * and lets time pass, and asserts what was locked. Each {@code TestLocks} is a service of its own. Thread-safe.
 *
 * <pre>{@code
 * try (TestLocks locks = TestLocks.create()) {
 *     locks.makeBusy("report");
 *     assertFalse(new Reports(locks.client()).writeUnlessBusy());
 * }
 * }</pre>
 *
 * <p>{@link #client()} is a real client with the real engine: waits, renewals, losses and tokens are those of production. Two things differ,
 * so that each lease is a request of its own and is {@linkplain #recorded recorded}. A released lock is neither handed off to a waiter of
 * the same client nor {@linkplain ClientOptions#keep kept}: the next caller requests it from the service.
 *
 * <p>On virtual time, time passes only by {@link #advance}. A call that waits for a lock or for an answer then blocks until another thread
 * advances the time or frees the lock. Start such a call on a thread of its own.
 */
public final class TestLocks implements AutoCloseable {
    /** The longest pause before a client repeats a failed release. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final TestTime time;
    private final Faults faults = new Faults();
    private final Requests requests;
    /** Those of the other client, which no test sees: its waiting threads are waited for on virtual time, too. */
    private final Requests requestsOfOther;

    private final LockClient client;
    private final LockClient other;
    private final Queue<OtherHold> others = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable RecordingBackend backend;

    private TestLocks(TestTime time, ClientOptions options) {
        if (isMissing(options)) {
            throw new IllegalArgumentException("the options are null");
        }
        if (options.timing().isPresent()) {
            throw new IllegalArgumentException(
                    "the options set a timing: use TestLocks.withVirtualTime(options), whose server has the same clock");
        }
        this.time = time;
        this.requests = new Requests(time.clock());
        this.requestsOfOther = new Requests(time.clock());
        MemoryServer server = new MemoryServer(time.clock());
        this.client = LockClient.over(
                recording(server.link(), requests, faults, opened -> backend = opened),
                time.of(options.handOff(false).addListener(requests::noted)));
        this.other = LockClient.over(
                recording(server.link(), requestsOfOther, new Faults(), opened -> {}),
                time.of(ClientOptions.defaults()));
    }

    /** Callers without a check for nulls may give one. */
    private static boolean isMissing(@Nullable Object argument) {
        return argument == null;
    }

    private BackendSource recording(
            MemoryLink link, Requests records, Faults present, Consumer<RecordingBackend> whenOpened) {
        return new BackendSource() {
            @Override
            public LockBackend open(BackendContext context) {
                RecordingBackend opened =
                        new RecordingBackend(link.open(context), context.timing(), records, present, time);
                whenOpened.accept(opened);
                return opened;
            }

            @Override
            public Optional<BackendDeclaration> declaration() {
                return link.declaration();
            }
        };
    }

    /**
     * Creates a service in the machine's time, with default options of the client.
     *
     * @return a service without holders
     */
    public static TestLocks create() {
        return create(ClientOptions.defaults());
    }

    /**
     * Creates a service in the machine's time.
     *
     * @param options those of the client under test
     * @return a service without holders
     * @throws IllegalArgumentException if the options are null, or set a timing
     */
    public static TestLocks create(ClientOptions options) {
        return new TestLocks(new TestTime.OfTheMachine(), options);
    }

    /**
     * Creates a service on virtual time, with default options of the client.
     *
     * @return a service without holders
     */
    public static TestLocks withVirtualTime() {
        return withVirtualTime(ClientOptions.defaults());
    }

    /**
     * Creates a service on virtual time.
     *
     * @param options those of the client under test
     * @return a service without holders
     * @throws IllegalArgumentException if the options are null, or set a timing or an executor
     */
    public static TestLocks withVirtualTime(ClientOptions options) {
        return new TestLocks(new TestTime.Virtual(), options);
    }

    /**
     * Returns the client for the code under test.
     *
     * @return the same client each time
     */
    public LockClient client() {
        return client;
    }

    /**
     * Returns another client of the same service, such as another instance of the program. It is never unavailable or delayed, and its
     * requests are not recorded.
     *
     * @return the same client each time
     */
    public LockClient otherClient() {
        return other;
    }

    /**
     * Lets another client hold an exclusive lock.
     *
     * @param name the lock
     * @return ends the hold when it is closed; {@link #close} ends it as well
     * @throws IllegalStateException if the lock is held, or in use as one of another kind
     * @throws io.hasp.InvalidArgumentException if the name is not one of a lock
     */
    public OtherHold makeBusy(String name) {
        return hold(other.lock(name));
    }

    /**
     * Lets another client hold a read-write lock for reading: writers have to wait.
     *
     * @param name the lock
     * @return as in {@link #makeBusy(String)}
     * @throws IllegalStateException if the lock is held for writing
     * @throws io.hasp.InvalidArgumentException if the name is not one of a lock
     */
    public OtherHold makeBusyByReader(String name) {
        return hold(other.readWriteLock(name).read());
    }

    /**
     * Lets another client hold a read-write lock for writing: readers and writers have to wait.
     *
     * @param name the lock
     * @return as in {@link #makeBusy(String)}
     * @throws IllegalStateException if the lock is held
     * @throws io.hasp.InvalidArgumentException if the name is not one of a lock
     */
    public OtherHold makeBusyByWriter(String name) {
        return hold(other.readWriteLock(name).write());
    }

    /**
     * Lets another client hold permits of a semaphore.
     *
     * @param name the semaphore
     * @param permits the number of permits to hold
     * @param total the number of all its permits, as in {@link LockClient#semaphore}
     * @return as in {@link #makeBusy(String)}
     * @throws IllegalStateException if fewer permits are free
     * @throws io.hasp.InvalidArgumentException if the name or a number is refused
     */
    public OtherHold makePermitsBusy(String name, int permits, int total) {
        return hold(other.semaphore(name, total).permits(permits));
    }

    private OtherHold hold(DistributedLock lock) {
        return heldByOther(lock)
                .orElseThrow(() -> new IllegalStateException("lock '" + lock.name()
                        + "' can't be made busy: it is held, or waited for." + listed(requests.records())
                        + " takeOver(name) takes a lock away from the client under test"));
    }

    private Optional<OtherHold> heldByOther(DistributedLock lock) {
        Optional<OtherHold> hold;
        try {
            hold = lock.tryAcquire().map(lease -> new OtherHold(lease, time));
        } catch (BackendException otherKind) {
            throw new IllegalStateException(
                    "lock '" + lock.name() + "' can't be made busy: " + otherKind.getMessage() + "."
                            + listed(requests.records()),
                    otherKind);
        }
        hold.ifPresent(others::add);
        return hold;
    }

    /**
     * Ends all leases of the client under test on a lock, as a deletion on the server does. They are LOST when this method returns: work
     * is interrupted where the options say so, and a release finds the loss. The lock is free then.
     *
     * @param name the lock
     * @throws IllegalStateException if the client under test does not hold it
     */
    public void loseNow(String name) {
        List<Request> held = held(name);
        end(held);
        report(held);
    }

    private void end(List<Request> held) {
        held.forEach(request -> {
            backend().end(request.claim);
            requests.lost(request);
        });
    }

    /**
     * Ends all leases of the client under test on a lock, and lets another client have the lock before they become LOST. Of a read-write
     * lock the other client becomes a writer, of a semaphore it gets the same number of permits.
     *
     * @param name the lock
     * @return as in {@link #makeBusy(String)}
     * @throws IllegalStateException if the client under test does not hold it, or if another holder or waiter comes before the other client;
     *     the leases are LOST in the second case, too
     */
    public OtherHold takeOver(String name) {
        List<Request> held = held(name);
        end(held);
        try {
            return heldByOther(sameKind(name, held))
                    .orElseThrow(() -> new IllegalStateException("lock '" + name
                            + "' can't be taken over: another holder or waiter comes before the other client."
                            + listed(requests.records()) + " The leases of the client under test are LOST"));
        } finally {
            report(held);
        }
    }

    private DistributedLock sameKind(String name, List<Request> held) {
        Share share = held.get(0).share;
        if (share.isExclusive()) {
            return other.lock(name);
        } else if (share.capacity() == Share.READ_WRITE) {
            DistributedReadWriteLock both = other.readWriteLock(name);
            return both.write();
        }
        int permits = held.stream().mapToInt(request -> request.share.weight()).sum();
        return other.semaphore(name, share.capacity()).permits(permits);
    }

    private List<Request> held(String name) {
        List<Request> held = requests.held().stream()
                .filter(request -> request.claim.name().value().equals(name))
                .toList();
        if (held.isEmpty()) {
            throw new IllegalStateException(
                    "lock '" + name + "' is not held by the client under test." + listed(requests.records()));
        }
        return held;
    }

    private void report(List<Request> ended) {
        ended.forEach(request -> request.signals.onSignal(Signal.LOST));
        time.settle();
    }

    private RecordingBackend backend() {
        RecordingBackend opened = backend;
        if (opened == null) {
            throw new IllegalStateException("the client under test is not connected yet");
        }
        return opened;
    }

    /**
     * Makes the service unavailable for the client under test. Each request fails at once, leases become SUSPECT at once, and LOST when
     * they are over. Another client can get the lock then.
     */
    public void makeUnavailable() {
        faults.setAvailable(false);
        requests.held().forEach(request -> request.signals.onSignal(Signal.SUSPECT));
        time.settle();
    }

    /** Ends {@link #makeUnavailable}; no effect without it. Leases that are not over are renewed, and waiting calls request their locks again. */
    public void makeAvailable() {
        if (faults.setAvailable(true)) {
            requests.held().forEach(request -> request.signals.onSignal(Signal.RESTORED));
            requestAgain();
        }
    }

    /** Without it, a waiter that is late would wait for the next poll, and virtual time may not pass any more. */
    private void requestAgain() {
        Stream.of(requests, requestsOfOther)
                .flatMap(each -> each.waiting().stream())
                .forEach(request -> request.signals.onSignal(Signal.MAYBE_FREE));
        time.settle();
    }

    /**
     * Delays the service's answer to each request of the client under test. The service does at once what is requested. If the delay is
     * longer than 2 s, the command timeout of Redis, the answer is lost.
     *
     * @param each the delay of each answer; zero for none
     * @throws IllegalArgumentException if it is negative or null
     */
    public void delay(Duration each) {
        if (isMissing(each) || each.isNegative()) {
            throw new IllegalArgumentException("delay is " + each + ": it must be zero or positive");
        }
        faults.setDelay(each);
    }

    /**
     * Lets virtual time pass, with all renewals, polls and timeouts in it.
     *
     * @param duration the time to pass; zero or more
     * @throws IllegalStateException if the service runs in the machine's time
     * @throws IllegalArgumentException if the duration is negative or null
     */
    public void advance(Duration duration) {
        time.advance(duration);
        requestAgain();
    }

    /**
     * Waits until a call of the client under test on another thread waits for a lock, or for the answer to its request. A call that has
     * waited, or found the lock busy, counts as well; one that got the lock at once does not. On virtual time, this is the moment from which
     * the time may be advanced.
     *
     * @param name the lock
     * @throws AssertionError if no call waits for the lock within 10 s of the machine's time
     */
    public void awaitRequest(String name) {
        Settling.await(
                Duration.ofSeconds(10),
                () -> requests.waitedFor(name),
                () -> "no call on another thread waits for lock '" + name + "'." + listed(requests.records()));
        time.settle();
    }

    /**
     * Returns all requests of the client under test, in their order: also those that found the lock busy or the service unavailable.
     *
     * @return a snapshot
     */
    public List<LockRecord> recorded() {
        return requests.records();
    }

    /**
     * Returns the locks that the client under test got, in the order of their grants.
     *
     * @return a snapshot
     */
    public List<LockRecord> locked() {
        return requests.grantedRecords();
    }

    /**
     * Asserts that the client under test got these locks in this order, and no others. The locks of one asynchronous call of
     * {@link LockClient#allOf(DistributedLock...) allOf} are requested at the same time, so their order is any.
     *
     * @param names the names of all locks; none if nothing was to be locked
     * @throws AssertionError if it got others, or in another order; lists all requests
     */
    public void assertLocked(String... names) {
        List<String> expected = List.of(names);
        List<String> found = locked().stream().map(LockRecord::name).toList();
        if (!found.equals(expected)) {
            throw new AssertionError(
                    "locked were " + found + ", in this order, and not " + expected + "." + listed(requests.records()));
        }
    }

    /**
     * Asserts that the client under test holds no lock. An asynchronous call is waited for until it has requested its lock, unless the
     * options set an executor. A release that is under way on another thread gets a second to be requested.
     *
     * @throws AssertionError if it holds locks; names them, their holders' threads and the calls that locked them
     */
    public void assertNothingHeld() {
        time.awaitTasks();
        Settling.await(
                Duration.ofSeconds(1), () -> requests.heldRecords().isEmpty(), () -> stillHeld(requests.heldRecords()));
    }

    private static String stillHeld(List<LockRecord> held) {
        return (held.size() == 1 ? "a lock is" : held.size() + " locks are") + " still held." + listed(held);
    }

    private static String listed(List<LockRecord> records) {
        StringBuilder lines = new StringBuilder();
        records.forEach(record -> lines.append("\n  ").append(record));
        return records.isEmpty() ? "" : lines.append('\n').toString();
    }

    /**
     * Ends all that the test did: other clients' holds, faults, and records of requests that are over. For a service that several tests
     * share. Locks that the client under test holds stay held.
     */
    public void reset() {
        delay(Duration.ZERO);
        makeAvailable();
        for (OtherHold hold = others.poll(); hold != null; hold = others.poll()) {
            hold.close();
        }
        requests.forget();
        requestsOfOther.forget();
    }

    /** Closes both clients at once, without a wait for work. Locks that are held end. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        // A release that failed in an outage is repeated after a pause, and the client would wait for that.
        faults.setDelay(Duration.ZERO);
        makeAvailable();
        time.passBeforeTheEnd(LONGEST_PAUSE);
        client.closeNow();
        other.closeNow();
        time.close();
    }
}
