package io.hasp.locked.spi;

import io.hasp.DistributedLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLock;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.HeldLeases.Held;
import io.hasp.spi.UriParameters;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs a {@link Locked} method as its annotation requires: acquire, run, release. Thread-safe. */
public final class LockedMethod {
    private final String shown;
    private final boolean declaresInterrupt;
    private final boolean returnsStage;
    private final NameTemplates names;
    private final Optional<Duration> wait;
    private final boolean skipIfBusy;
    private final LockOptions options;
    private final LockKind kind;
    private final Supplier<LockClient> client;
    private final Surroundings surroundings;

    /**
     * Holds the services of a container for all of its methods.
     *
     * @param held the leases under which threads run
     * @param enclosing finds the operation that the lock of a call must outlive
     * @param expressions evaluates <code>#{…}</code> in a name; null without a language
     * @param texts resolves the texts of the annotation, such as placeholders
     * @param observer observes each call that takes a lock
     */
    public record Surroundings(
            HeldLeases held,
            Enclosing enclosing,
            @Nullable ExpressionLanguage expressions,
            UnaryOperator<String> texts,
            CallObserver observer) {

        /**
         * Creates surroundings without transactions, expression language and placeholders.
         *
         * @param held the leases under which threads run
         * @param observer observes each call that takes a lock
         * @return the surroundings
         */
        public static Surroundings of(HeldLeases held, CallObserver observer) {
            return new Surroundings(held, Enclosing.NOTHING, null, text -> text, observer);
        }
    }

    /** The method's own code. */
    @FunctionalInterface
    public interface Body {

        /**
         * Runs the code.
         *
         * @return its result
         * @throws Throwable its exception
         */
        @Nullable
        Object proceed() throws Throwable;
    }

    /**
     * Reads the annotation.
     *
     * @param method the annotated method
     * @param client called for each call of the method
     * @param surroundings of the container
     * @throws IllegalArgumentException if the template or a duration is wrong, or a call could not be skipped
     * @throws InvalidArgumentException if the lease or the name is out of range
     */
    public LockedMethod(Method method, Supplier<LockClient> client, Surroundings surroundings) {
        Locked locked = LockedMethods.annotationOf(method)
                .orElseThrow(() -> new IllegalArgumentException("the method has no @Locked annotation"));
        UnaryOperator<String> texts = surroundings.texts();
        this.shown = show(method);
        this.declaresInterrupt = Arrays.stream(method.getExceptionTypes())
                .anyMatch(declared -> declared.isAssignableFrom(InterruptedException.class));
        this.returnsStage = LockedStage.canReturn(method.getReturnType());
        this.names = NameTemplates.of(locked.value(), texts, method, surroundings.expressions());
        String waitAtMost = texts.apply(locked.waitAtMost());
        this.wait = duration("waitAtMost", waitAtMost);
        if (wait.isPresent() && wait.get().isNegative()) {
            throw new IllegalArgumentException("waitAtMost=" + waitAtMost + " is negative");
        }
        this.skipIfBusy = locked.skipIfBusy();
        requireSkippable(method);
        LockOptions leased = options(texts.apply(locked.fixedLease()), texts.apply(locked.renewedLease()))
                .onLoss(locked.onLoss());
        this.options = duration("takenAtLeast", texts.apply(locked.takenAtLeast()))
                .map(leased::takenAtLeast)
                .orElse(leased);
        this.kind = LockKind.of(locked, options);
        if (names.several() && options.takenAtLeast().isPresent()) {
            throw new IllegalArgumentException("takenAtLeast with several names: that is for one lock");
        }
        this.client = client;
        this.surroundings = surroundings;
    }

    private void requireSkippable(Method method) {
        if (skipIfBusy && wait.isEmpty()) {
            throw new IllegalArgumentException(
                    "skipIfBusy without waitAtMost: a wait without a limit never ends without the lock");
        }
        if (skipIfBusy && method.getReturnType() != void.class) {
            throw new IllegalArgumentException("skipIfBusy, and it returns a "
                    + method.getReturnType().getSimpleName() + ": only a method without a result can be skipped");
        }
    }

    private static LockOptions options(String fixedLease, String renewedLease) {
        Optional<Duration> fixed = duration("fixedLease", fixedLease);
        Optional<Duration> renewed = duration("renewedLease", renewedLease);
        if (fixed.isPresent() && renewed.isPresent()) {
            throw new IllegalArgumentException(
                    "fixedLease=" + fixedLease + " and renewedLease=" + renewedLease + ": a lock has one of them");
        }
        LockOptions options = LockOptions.defaults();
        return fixed.map(options::fixedLease)
                .or(() -> renewed.map(options::renewedLease))
                .orElse(options);
    }

    /**
     * Describes a method in words.
     *
     * @param method any method
     * @return its class, name and parameters
     */
    public static String show(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName() + "("
                + String.join(
                        ", ",
                        Arrays.stream(method.getParameterTypes())
                                .map(Class::getSimpleName)
                                .toList())
                + ")";
    }

    private static Optional<Duration> duration(String attribute, String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(UriParameters.durationOf(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(attribute + "=" + e.getMessage(), e);
        }
    }

    /**
     * Finds a requirement of the annotation that the service of a client can't meet.
     *
     * @param used the client that the method uses
     * @return in words; empty if there is none, as far as is known before a call
     */
    public Optional<String> unsupportedBy(LockClient used) {
        if (kind.isShared() && !used.capabilities().sharedLocks()) {
            return Optional.of(
                    kind.words() + ", which the service of its client can't do: it offers exclusive locks only");
        }
        return options.takenAtLeast()
                .filter(least -> !used.capabilities().retainedLocks())
                .map(least -> "takenAtLeast=" + least
                        + ", which the service of its client can't do: a lock ends there with its client");
    }

    /**
     * Runs a call under the lock.
     *
     * @param target the object that is called
     * @param arguments of the call
     * @param body the method itself
     * @return the method's result; null if the call was skipped. A stage is replaced by a stage that completes when the lock was released
     * @throws Throwable the method's exception, and those that {@link Locked} lists
     */
    public @Nullable Object call(@Nullable Object target, Object[] arguments, Body body) throws Throwable {
        List<String> locks = names.fill(target, arguments, shown);
        LockClient with = present();
        Optional<Held> outer = surroundings.held().of(with, locks, kind);
        if (outer.isPresent()) {
            return nested(locks, outer.get(), body);
        }
        return surroundings.observer().observe(String.join(", ", locks), acquired -> {
            Optional<CallLease> lease = acquire(with, locks);
            return lease.isPresent() ? first(with, lease.get(), acquired, body) : null;
        });
    }

    private LockClient present() {
        LockClient present = client.get();
        if (present == null) {
            throw new IllegalStateException("the supplier of the client of " + shown + " gave null");
        }
        return present;
    }

    private @Nullable Object nested(List<String> locks, Held outer, Body body) throws Throwable {
        if (!outer.kind.covers(kind)) {
            throw UnsupportedCapabilityException.upgrade(locks.get(0));
        }
        outer.lease.ensureHeld();
        Held inner = surroundings.held().begin(outer.client, outer.lease, locks, outer.kind, outer);
        try {
            return ofCaller(run(inner, body), CompletableFuture.completedFuture(null));
        } finally {
            surroundings.held().end(inner);
        }
    }

    private @Nullable Object first(LockClient with, CallLease lease, Consumer<Lease> acquired, Body body)
            throws Throwable {
        Held mine = surroundings.held().begin(with, lease, lease.names(), kind, null);
        LeaseEnd end = new LeaseEnd(surroundings.held(), mine);
        Object result;
        try {
            lease.names().forEach(name -> acquired.accept(lease.lease(name)));
            result = ofCaller(run(mine, body), end.released());
        } catch (Throwable failure) {
            endAfter(failure, end);
            throw failure;
        }
        try {
            end.begin(surroundings.enclosing());
        } catch (LeaseLostException loss) {
            if (!(result instanceof CompletableFuture)) {
                throw loss;
            }
            // The stage fails with it.
        }
        return result;
    }

    private void endAfter(Throwable failure, LeaseEnd end) {
        try {
            end.begin(surroundings.enclosing());
        } catch (LeaseLostException loss) {
            if (!(failure instanceof LeaseLostException)) {
                failure.addSuppressed(loss);
            }
        }
    }

    private static @Nullable Object ofCaller(@Nullable Object result, CompletionStage<?> released) {
        return result instanceof LockedStage stage ? stage.result(released) : result;
    }

    private @Nullable Object run(Held held, Body body) throws Throwable {
        LockedStage stage = null;
        Optional<Object> result = Optional.empty();
        if (returnsStage) {
            stage = LockedStage.begin(held.lease, body);
        } else {
            result = held.lease.call(() -> Optional.ofNullable(LockedMethod.<Exception>proceed(body)));
        }
        if (stage != null) {
            held.goesOn(stage.end());
            return stage;
        }
        held.lease.ensureHeld();
        return requireDone(result.orElse(null));
    }

    /**
     * Refuses work that goes on, for a method that declares a wider type, such as {@code Object} or a type variable, which hid that at
     * start.
     */
    private @Nullable Object requireDone(@Nullable Object result) {
        if (result != null && LockedMethods.worksLater(result)) {
            throw new IllegalStateException(shown + " has returned a "
                    + result.getClass().getSimpleName()
                    + ", whose work may go on after the lock was released: it has to declare that it returns one");
        }
        return result;
    }

    /** Allows for a method that throws neither an exception nor an error. */
    @SuppressWarnings("unchecked")
    static <X extends Throwable> @Nullable Object proceed(Body body) throws X {
        try {
            return body.proceed();
        } catch (Throwable failure) {
            throw (X) failure;
        }
    }

    private <L> L real(@Nullable L wanted, String lock) {
        if (wanted == null) {
            throw new IllegalStateException("the LockClient of " + shown + " is a mock, which gives no lock '" + lock
                    + "'; connect a client to memory://tests, with the artifact lock-memory, in its place");
        }
        return wanted;
    }

    /** Returns empty if another holder had the lock, and the call is to be skipped then. */
    private Optional<CallLease> acquire(LockClient with, List<String> locks) throws InterruptedException {
        String lock = String.join(", ", locks);
        try {
            Optional<CallLease> lease = names.several() ? acquireAll(with, locks) : acquireOne(with, lock);
            if (lease.isEmpty() && !skipIfBusy) {
                throw names.several()
                        ? new LockBusyException(locks, wait.orElseThrow(), shown)
                        : new LockBusyException(lock, wait.orElseThrow(), shown);
            }
            return lease;
        } catch (InterruptedException e) {
            if (declaresInterrupt) {
                throw e;
            }
            Thread.currentThread().interrupt();
            CancellationException cancelled = new CancellationException(
                    "interrupted while waiting for lock '" + lock + "': " + shown + " did not run");
            cancelled.initCause(e);
            throw cancelled;
        }
    }

    private Optional<CallLease> acquireOne(LockClient with, String lock) throws InterruptedException {
        DistributedLock wanted = real(kind.lock(with, lock, options), lock);
        return (wait.isEmpty() ? Optional.of(wanted.acquire()) : wanted.tryAcquire(wait.get())).map(CallLease.One::new);
    }

    private Optional<CallLease> acquireAll(LockClient with, List<String> locks) throws InterruptedException {
        MultiLock wanted = real(kind.all(with, locks, options), locks.get(0));
        return (wait.isEmpty() ? Optional.of(wanted.acquire()) : wanted.tryAcquire(wait.get()))
                .map(CallLease.Several::new);
    }
}
