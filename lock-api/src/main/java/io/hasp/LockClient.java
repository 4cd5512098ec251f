package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import io.hasp.engine.Shutdown;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.Nanos;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Finding;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import io.hasp.spi.LockName;
import io.hasp.spi.StackReserve;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects a process to a lock service, and creates its locks. Create one client per service and share it: it is the one object that a
 * process needs. Clients of one process exclude each other like clients of different processes. Thread-safe.
 *
 * <pre>{@code
 * try (LockClient locks = LockClient.connect("redis://127.0.0.1:6379")) {
 * try (Lease lease = locks.lock("orders/42").acquire()) {
 * store.write(order, lease.fencingToken());
 * }
 * }
 * }</pre>
 *
 * <p>The service is, in this order: the service that the call names (a URI, or a backend with a config record by {@link #over}); else the
 * environment variable {@code HASP_URI}; else an error. No system property, file or default counts, and only {@code memory://} selects the
 * in-memory backend. The behavior of the client follows the URI's parameters, then the {@link ClientOptions} of the call, then their
 * defaults.
 *
 * <p>Each {@code connect} method returns a client that the caller closes. It throws {@link InvalidArgumentException} if the URI, its scheme
 * or a parameter is unknown or wrong: the message says which schemes there are and which artifact is missing. It throws
 * {@link UnsupportedCapabilityException} if a parameter or option needs a capability that the backend does not have, and
 * {@link BackendException} if the service can't be reached or refuses.
 */
public final class LockClient implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ClientContext client;
    private final Shutdown shutdown;

    private LockClient(BackendSource source, ClientOptions options, EngineThreads.@Nullable Pools pools) {
        String clientId = newId();
        EngineThreads threads = EngineThreads.of(
                clientId,
                options.timing().map(given -> system -> new GivenTiming(given, system)),
                options.executor(),
                pools);
        try {
            BackendContext context = new BackendContext(clientId, threads.timing, threads.background);
            LockBackend backend = BackendOpening.open(source, context, options);
            client = client(backend, threads, clientId, options);
        } catch (RuntimeException | Error e) {
            threads.stop();
            throw e;
        }
        shutdown = new Shutdown(client.engine, client.work(), Nanos.of(options.closeWithin()));
    }

    static String newId() {
        return Long.toString(RANDOM.nextLong() & Long.MAX_VALUE, 36);
    }

    /** Closes the backend if the client can't be created. */
    private static ClientContext client(
            LockBackend backend, EngineThreads threads, String clientId, ClientOptions options) {
        try {
            return new ClientContext(backend, threads, clientId, options);
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    /**
     * Connects to the service of a URI, with default options.
     *
     * @param uri such as {@code redis://127.0.0.1:6379} or {@code zookeeper://h1:2181,h2:2181/chroot}
     * @return a connected client
     * @throws InvalidArgumentException if the URI, its scheme or a parameter is unknown or wrong
     * @throws UnsupportedCapabilityException if the backend lacks a capability that a parameter needs
     * @throws BackendException if the service can't be reached or refuses
     */
    public static LockClient connect(String uri) {
        return connect(ServiceUri.parse("the URI", uri), ClientOptions.defaults());
    }

    /**
     * Connects to the service of a URI. Prefer this method to {@code connect(URI.create(text), options)}: the message of {@link URI#create}
     * about a malformed URI repeats all of it, with the password; the messages of this method never do. Only this method takes several IPv6
     * hosts, {@code zookeeper://[::1]:2181,[::1]:2182}.
     *
     * @param uri as in {@link #connect(String)}, with special characters of a password percent-encoded. Its parameters win over the options
     * @param options the behavior of the client
     * @return a connected client
     * @throws InvalidArgumentException as in {@link #connect(String)}
     * @throws UnsupportedCapabilityException if the backend lacks a capability that a parameter or an option needs
     * @throws BackendException as in {@link #connect(String)}
     */
    public static LockClient connect(String uri, ClientOptions options) {
        return connect(ServiceUri.parse("the URI", uri), options);
    }

    /**
     * Connects to the service of the environment variable {@code HASP_URI}, with default options.
     *
     * @return a connected client
     * @throws InvalidArgumentException if the variable is not set: there is no other source and no default. Else as in
     *     {@link #connect(String)}
     * @throws UnsupportedCapabilityException as in {@link #connect(String)}
     * @throws BackendException as in {@link #connect(String)}
     */
    public static LockClient connect() {
        return connect(ClientOptions.defaults());
    }

    /**
     * Connects to the service of the environment variable {@code HASP_URI}.
     *
     * @param options the behavior of the client; the URI's parameters win over them
     * @return a connected client
     * @throws InvalidArgumentException as in {@link #connect()}
     * @throws UnsupportedCapabilityException as in {@link #connect(String, ClientOptions)}
     * @throws BackendException as in {@link #connect(String)}
     */
    public static LockClient connect(ClientOptions options) {
        required("the options", options);
        return connect(ServiceUri.of(System.getenv()), options);
    }

    /**
     * Connects to the service of a URI, with default options.
     *
     * @param uri as in {@link #connect(String)}
     * @return a connected client
     * @throws InvalidArgumentException as in {@link #connect(String)}
     * @throws UnsupportedCapabilityException as in {@link #connect(String)}
     * @throws BackendException as in {@link #connect(String)}
     */
    public static LockClient connect(URI uri) {
        return connect(uri, ClientOptions.defaults());
    }

    /**
     * Connects to the service of a URI. The context class loader of the calling thread and the loader of this class find the backend;
     * {@link #connect(URI, ClientOptions, ClassLoader)} takes another loader.
     *
     * @param uri as in {@link #connect(String)}; its parameters win over the options
     * @param options the behavior of the client
     * @return a connected client
     * @throws InvalidArgumentException as in {@link #connect(String)}
     * @throws UnsupportedCapabilityException as in {@link #connect(String, ClientOptions)}
     * @throws BackendException as in {@link #connect(String)}
     */
    public static LockClient connect(URI uri, ClientOptions options) {
        return connect(uri, options, BackendLookup.usual());
    }

    /**
     * Connects to the service of a URI, with a backend of a plug-in or a module layer.
     *
     * @param uri as in {@link #connect(String)}; its parameters win over the options
     * @param options the behavior of the client
     * @param backends the only class loader that finds the backend; it must see this same library
     * @return a connected client
     * @throws InvalidArgumentException as in {@link #connect(String)}
     * @throws UnsupportedCapabilityException as in {@link #connect(String, ClientOptions)}
     * @throws BackendException as in {@link #connect(String)}
     */
    public static LockClient connect(URI uri, ClientOptions options, ClassLoader backends) {
        return connect(uri, options, BackendLookup.in(required("the class loader of the backends", backends)));
    }

    private static LockClient connect(URI uri, ClientOptions options, BackendLookup backends) {
        required("the URI", uri);
        required("the options", options);
        ServiceUri.authority(uri);
        LockBackendProvider provider = backends.find(uri);
        EngineParameters parameters = EngineParameters.split(uri, options);
        return open(
                "could not connect to " + ServiceUri.withoutCredentials(uri),
                parameters.options(),
                () -> provider.source(parameters.backendUri()));
    }

    /**
     * Uses a backend from the program: with a config record ({@code RedisBackend.on(redisConfig)}), or over an existing connection
     * ({@code RedisBackend.onRedisson(redissonClient)}). No lookup.
     *
     * @param source opens the backend for this client
     * @param options the behavior of the client
     * @return a connected client
     * @throws InvalidArgumentException if the configuration of the source is wrong, or options contradict each other
     * @throws UnsupportedCapabilityException if the backend lacks a capability that the options need
     * @throws BackendException if the service can't be reached or refuses
     */
    public static LockClient over(BackendSource source, ClientOptions options) {
        required("the backend", source);
        required("the options", options);
        return open("could not open the backend", options, () -> source);
    }

    /** For tests. */
    static LockClient over(BackendSource source, ClientOptions options, EngineThreads.Pools pools) {
        return new LockClient(source, options, pools);
    }

    /**
     * Checks a lock service for an operator: its address, version, role and permissions, and whatever may cost a lock. Blocks for a few
     * seconds at most, and changes nothing that a client would not change. The backend chooses the checks; the conformance suite does not
     * prove them.
     *
     * @param uri as in {@link #connect(String)}
     * @return the findings, in the order of the checks. A service that can't be reached is a finding
     * @throws InvalidArgumentException as in {@link #connect(String)}
     */
    public static List<Finding> diagnose(String uri) {
        return ServiceDiagnosis.of(ServiceUri.parse("the URI", uri));
    }

    private static LockClient open(String what, ClientOptions options, Supplier<BackendSource> source) {
        StackReserve.require();
        options.check();
        return translated(what, () -> new LockClient(source.get(), options, null));
    }

    /** Runs a call about the backend as a whole; its failures become those of the API. */
    static <T> T translated(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (BackendFailure e) {
            throw new BackendException(what + ": " + e.getMessage(), e, null);
        } catch (InvalidArgumentException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(what + ": " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw new InvalidArgumentException(
                    what + ": the backend's client library is missing, or has another version than the backend needs: "
                            + e,
                    e);
        }
    }

    /**
     * Returns an exclusive lock with default options.
     *
     * @param name any Unicode text of 1 to 512 UTF-8 bytes without NUL
     * @return the lock; nothing is sent
     * @throws InvalidArgumentException with the value and the rule
     */
    public DistributedLock lock(String name) {
        return lock(name, LockOptions.defaults());
    }

    /**
     * Returns an exclusive lock.
     *
     * @param name any Unicode text of 1 to 512 UTF-8 bytes without NUL
     * @param options the lease and the reaction to its loss
     * @return the lock; nothing is sent
     * @throws InvalidArgumentException with the value and the rule
     * @throws UnsupportedCapabilityException if {@link LockOptions#takenAtLeast} is set, and the backend does not offer
     *     {@link LockCapabilities#retainedLocks}
     */
    public DistributedLock lock(String name, LockOptions options) {
        LockName lock = lockName(name, options);
        options.takenAtLeast()
                .filter(least -> !client.engine.capabilities().retains())
                .ifPresent(least -> {
                    throw new UnsupportedCapabilityException(
                            "lock '" + lock + "' can't be taken for at least " + least
                                    + " (takenAtLeast): this backend ends a lock with its client",
                            lock.value());
                });
        return new DistributedLock(client, lock, options);
    }

    /**
     * Returns a candidate in the election of a name, with default options.
     *
     * @param name as in {@link #lock(String)}. The leader holds the exclusive lock of this name
     * @return a new candidate, closed by the caller or by the end of this client; nothing is sent before it joins the election
     * @throws InvalidArgumentException with the value and the rule
     */
    public LeaderElection election(String name) {
        return election(name, ElectionOptions.defaults());
    }

    /**
     * Returns a candidate in the election of a name.
     *
     * @param name as in {@link #election(String)}
     * @param options the label, the lease, and the pause after a failure
     * @return a new candidate, closed by the caller or by the end of this client; nothing is sent before it joins the election
     * @throws InvalidArgumentException with the value and the rule
     */
    public LeaderElection election(String name, ElectionOptions options) {
        DistributedLock lock = lock(name, required("the options", options).lock());
        String label = options.label().orElse(client.label);
        return new Candidate(client, lock.labelled(label), options, label);
    }

    /**
     * Returns a lock with many readers or one writer at a time, with default options.
     *
     * @param name as in {@link #lock(String)}; not in use as a lock of another kind at the same time
     * @return the lock; nothing is sent
     * @throws InvalidArgumentException with the value and the rule
     * @throws UnsupportedCapabilityException if the backend does not offer {@link LockCapabilities#sharedLocks}
     */
    public DistributedReadWriteLock readWriteLock(String name) {
        return readWriteLock(name, LockOptions.defaults());
    }

    /**
     * Returns a lock with many readers or one writer at a time.
     *
     * @param name as in {@link #readWriteLock(String)}
     * @param options the leases for reading and for writing, and the reaction to their loss
     * @return the lock; nothing is sent
     * @throws InvalidArgumentException with the value and the rule; also if {@link LockOptions#takenAtLeast} is set
     * @throws UnsupportedCapabilityException as in {@link #readWriteLock(String)}
     */
    public DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
        LockName lock = lockName(name, options);
        requireSharing("a read-write lock", lock, options);
        return new DistributedReadWriteLock(client, lock, options);
    }

    /**
     * Returns a semaphore, whose permits all clients share, with default options.
     *
     * @param name as in {@link #lock(String)}; not in use as a lock of another kind at the same time
     * @param permits the total, 1 to 1,048,575; the same for all clients
     * @return the semaphore; nothing is sent
     * @throws InvalidArgumentException with the value and the rule
     * @throws UnsupportedCapabilityException if the backend does not offer {@link LockCapabilities#sharedLocks}
     */
    public DistributedSemaphore semaphore(String name, int permits) {
        return semaphore(name, permits, LockOptions.defaults());
    }

    /**
     * Returns a semaphore, whose permits all clients share.
     *
     * @param name as in {@link #semaphore(String, int)}
     * @param permits as in {@link #semaphore(String, int)}
     * @param options the leases of permits, and the reaction to their loss
     * @return the semaphore; nothing is sent
     * @throws InvalidArgumentException with the value and the rule; also if {@link LockOptions#takenAtLeast} is set
     * @throws UnsupportedCapabilityException as in {@link #semaphore(String, int)}
     */
    public DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
        LockName lock = lockName(name, options);
        requireSharing("a semaphore", lock, options);
        return new DistributedSemaphore(client, lock, options, permits);
    }

    /**
     * Returns several locks of this client that are acquired together: all of them or none. Calls with the same locks in any order don't
     * deadlock.
     *
     * @param locks 1 to 64 locks with different names: exclusive locks, the sides of read-write locks, and permits of semaphores
     * @return the locks as one; nothing is sent
     * @throws InvalidArgumentException with the value and the rule, also if a lock is of another client, or is to be taken for a least time
     *     ({@link LockOptions#takenAtLeast})
     */
    public MultiLock allOf(DistributedLock... locks) {
        return allOf(Arrays.asList(required("the locks", locks)));
    }

    /**
     * Returns several locks of this client that are acquired together, as {@link #allOf(DistributedLock...)} does.
     *
     * @param locks as there, in any order
     * @return the locks as one; nothing is sent
     * @throws InvalidArgumentException as there
     */
    public MultiLock allOf(Collection<DistributedLock> locks) {
        return MultiLock.of(client, locks);
    }

    private static LockName lockName(String name, LockOptions options) {
        if (name == null || options == null) {
            throw new InvalidArgumentException(
                    "lock name '" + name + "', options " + options + ": neither may be null");
        }
        return lockName(name);
    }

    static LockName lockName(String name) {
        required("the lock name", name);
        try {
            return new LockName(name);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private void requireSharing(String kind, LockName name, LockOptions options) {
        options.takenAtLeast().ifPresent(least -> {
            throw InvalidArgumentException.ofLock(
                    name.value(),
                    "'" + name + "' can't be " + kind + " with takenAtLeast=" + least
                            + ": that is for exclusive locks");
        });
        if (!client.engine.capabilities().shares()) {
            throw new UnsupportedCapabilityException(
                    "'" + name + "' can't be " + kind + ": this backend offers exclusive locks only", name.value());
        }
    }

    /**
     * Returns the operations for operators: they show who holds and awaits the locks of all clients, and break a lock.
     *
     * @return the inspector of this client's service; nothing is sent
     * @throws UnsupportedCapabilityException if the backend does not offer {@link LockCapabilities#inspection}
     * @throws ClientClosedException if the client closes or is closed
     */
    public LockInspector inspector() {
        if (client.engine.closing()) {
            throw client.closedException(null);
        }
        return new LockInspector(
                client,
                client.engine
                        .inspector()
                        .orElseThrow(() -> new UnsupportedCapabilityException(
                                "this backend does not show its locks: it has no inspector", null)));
    }

    /**
     * Returns the promises of the backend, which the conformance suite proves.
     *
     * @return the same for the client's whole life. A client that {@linkplain Connect#LAZY connects lazily} returns the least that its
     *     backend promises, until it is connected for the first time
     */
    public LockCapabilities capabilities() {
        return new LockCapabilities(client.engine.capabilities());
    }

    /**
     * Ends the client's connections once no lock needs them; the next call connects again. For a program that is paused or checkpointed and
     * goes on later. The client, its locks and its threads stay.
     *
     * <p>Leases in use, acquisitions that wait, and locks that are {@linkplain ClientOptions#keep kept} need the connections. The method
     * waits for their end as {@link #close} does, at most for {@link ClientOptions#closeWithin}, and logs after one second which locks it
     * waits for. It prevents no acquisition: a call during the wait is served, and a later call connects. So first stop the code that takes
     * locks.
     *
     * <p>The next connection is made as with {@link Connect#LAZY}: while the service is down, calls fail with {@link BackendException}. A
     * connection that the application lends, such as a Redisson or Curator client, is not ended. An interrupt does not cut the method
     * short; it is kept for later.
     *
     * @return false if locks were in use all the time, or the calling thread itself holds one: then the connections stay
     * @throws ClientClosedException if the client closes or is closed
     * @throws UnsupportedCapabilityException if the backend can't be opened again: a {@link BackendSource} without a
     *     {@linkplain BackendSource#declaration declaration}
     */
    public boolean disconnect() {
        if (client.engine.closing()) {
            throw client.closedException(null);
        }
        if (!client.engine.mayDisconnect()) {
            throw new UnsupportedCapabilityException(
                    "the lock client can't disconnect: this backend does not say that it can be opened again", null);
        }
        return shutdown.disconnect();
    }

    /**
     * Closes the client once the work under its locks has ended. Waiting acquisitions and later calls fail with
     * {@link ClientClosedException} at once. A lease in use stays held, and is renewed, until its work ends: a {@code call}, {@code run} or
     * {@code callAsync}, a {@code @Locked} method, or a lease that the program has not closed yet.
     *
     * <p>Each {@linkplain #election candidate} of the client resigns first: its work is interrupted at once, and then waited for like other
     * work.
     *
     * <p>The method returns when all leases are released, at the latest after {@link ClientOptions#closeWithin}. Then work with
     * {@link OnLoss#INTERRUPT} is interrupted, and has one more second; a future is cancelled only when its lease is lost. A lease that is
     * still in use stays with its work, and its release works as before. Where each lock has a lease on the server
     * ({@link LockCapabilities#enforcement}), that lease is no longer renewed, so it becomes {@link LeaseState#LOST} at its own deadline,
     * before another client gets the lock. Where a lock lasts as long as a session, the session lasts until the work releases its lease or
     * the process ends. No lock is released while its work runs.
     *
     * <p>The method does not wait for leases that the calling thread acquired itself, nor for those of another thread that calls this
     * method or {@link System#exit}: their work can't end while these threads wait here. An interrupt does not cut the method short; it is
     * kept for later. After one second the client logs the locks that it waits for, and at the end those that it leaves.
     *
     * <p>A second call waits for the end of the first. May be called on the client's own threads. A future completes on the client's
     * executor, so it may fail a moment after this method has returned.
     */
    @Override
    public void close() {
        client.elections.beginClosing();
        shutdown.close();
    }

    /**
     * Closes several clients at the same time, each as {@link #close} does. All of them stop new acquisitions first. Each client waits for
     * its own {@link ClientOptions#closeWithin}, less the elapsed time, so that the end of a program takes no longer with several clients
     * than with one. Returns when all of them are closed.
     *
     * @param clients the clients; a client that is closed already is skipped
     * @param elapsed the time since the end of the program began, zero or more. It is subtracted from each wait for work. Work with {@link
     *     OnLoss#INTERRUPT} has its second after an interrupt, unless its client's {@code closeWithin} is zero
     * @throws InvalidArgumentException if the time is negative, or if an argument or a client is null; nothing is closed then
     */
    public static void closeAll(Collection<LockClient> clients, Duration elapsed) {
        required("clients", clients).forEach(each -> required("client", each));
        long nanos = Nanos.of(Durations.notNegative("elapsed", elapsed));
        clients.forEach(each -> each.client.elections.beginClosing());
        Shutdown.closeAll(clients.stream().map(each -> each.shutdown).toList(), nanos);
    }

    /**
     * Closes the client and releases every lock at once, even while work under it runs: another client may get the lock before the work
     * ends. For tests, and for programs whose work has ended. Leases in use are over ({@link LeaseState#RELEASED}), calls under them end
     * with {@link LeaseLostException}, and work with {@link OnLoss#INTERRUPT} is interrupted.
     *
     * <p>The method waits for the server's answers, at most five seconds; an interrupt does not cut that short and is kept for later. A
     * lock whose release is not confirmed by then ends with its lease or session. Ends a {@link #close()} that waits, and the leases that
     * it left. Idempotent.
     */
    public void closeNow() {
        client.elections.beginClosing();
        shutdown.closeNow();
    }
}
