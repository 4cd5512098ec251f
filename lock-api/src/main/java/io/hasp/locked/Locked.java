package io.hasp.locked;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.InvalidArgumentException;
import io.hasp.LeaseLostException;
import io.hasp.LockBusyException;
import io.hasp.OnLoss;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.CancellationException;

/**
 * Runs a method under a lock: acquire, run, release. Works for methods of objects that a container constructs: Guice, in an injector with
 * {@code HaspModule} or {@code LockedModule}; Spring Boot, with {@code lock-spring-boot}.
 *
 * <pre>{@code
 * @Locked("orders/{id}")
 * public void ship(@LockKey("id") long id) {
 *     store.write(id, lease.get().fencingToken());     // Provider<Lease> lease, or Spring's ObjectProvider<Lease>
 * }
 * }</pre>
 *
 * <p><b>On a class</b> the annotation applies to each method that the class itself declares, except private and static ones and
 * {@code equals}, {@code hashCode} and {@code toString}. The annotation of a method replaces it. <b>On another annotation</b> it makes that
 * annotation an alias:
 *
 * <pre>{@code
 * @Locked(value = "stock/{id}", waitAtMost = "2s")
 * @Retention(RUNTIME)
 * @interface StockLock {}
 * }</pre>
 *
 * <p><b>When the lock is lost</b> while the method runs, the method goes on, or is interrupted: see {@link #onLoss}. An injected
 * {@code Provider<Lease>} gives the innermost lease of the calling thread: send its token with every protected write. A method that returns
 * although its lock was lost, or was released during the call, ends with {@link LeaseLostException} instead of its result. So does a method
 * that throws after it has been interrupted.
 *
 * <p><b>Re-entry.</b> A call for a lock that a {@code @Locked} method further up on the same thread holds runs under that lease. The wait,
 * lease, loss and {@link #takenAtLeast} of the inner annotation have no effect. A call that reads may run under the lease of a call that
 * writes; a call that writes inside of a call that reads fails with {@link io.hasp.UnsupportedCapabilityException}. A re-entry fails with
 * {@link LeaseLostException} if the lease is over. A lock that the thread holds in another way is not re-entered: the call waits for it
 * like any other. A call with several locks runs under the lease of a call further up that has all of them. If the thread holds some of
 * them and not all in one call, it fails with {@link io.hasp.UnsupportedCapabilityException}: to acquire the rest could deadlock.
 *
 * <p><b>Exceptions before the method has begun</b>: {@link LockBusyException} if another holder had the lock for the whole wait;
 * {@link BackendException} and {@link ClientClosedException} as in {@link io.hasp.DistributedLock#acquire};
 * {@link InvalidArgumentException} if the filled name is no lock name, or two of them are equal, and {@link IllegalArgumentException} if a
 * part of it is null; and when the thread is interrupted {@link InterruptedException} if the method declares it, else
 * {@link CancellationException} with the thread's interrupt flag set.
 *
 * <p><b>Refused when the container starts</b> (or, for a class that it finds later, at the first request for an object): an expression that
 * can't be filled; a private, final, static or abstract method, a package-private one of a class in another package, a method of an
 * interface, a final class, an object that the container does not intercept, because the lock would silently not be taken; a method that
 * returns a future, a stream, an iterator, a supplier or a callable, or a collection, an array, an optional or a response of those, because
 * the lock would be released before the work is done ({@link io.hasp.DistributedLock#acquireAsync} is for that). If a method declares a
 * wider type, such as {@code Object}, and returns one of those, its call ends with {@link IllegalStateException}.
 *
 * <p>The annotation is not inherited by a method that overrides.
 *
 * <p><b>In Guice</b> a method that other interceptors surround, such as one that opens a transaction, is locked outside of the interceptors
 * whose modules are installed later: install Hasp's module first. Calls within an object are intercepted, too.
 *
 * <p><b>In Spring</b> the lock is always outside of {@code @Transactional}: the commit comes before the release. A call inside of an
 * earlier transaction holds its lock until that transaction has ended, and can be re-entered until then. A call within an object
 * ({@code this.ship(42)}) does not pass the proxy and takes no lock, as with {@code @Transactional}: call the method of another bean. A
 * method that returns {@link java.util.concurrent.CompletionStage} or {@link java.util.concurrent.CompletableFuture} holds its lock until
 * that stage has completed; the lease belongs to the calling thread only until the method returns. Only the returned stage counts: a stage
 * that is cancelled, or ended by {@code orTimeout}, releases the lock although its work may go on. Return the stage that completes when the
 * work has ended.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Locked {

    /** Sets the calls that a call excludes. */
    enum Mode {
        /** Excludes every other call, by an exclusive lock. The default. */
        EXCLUSIVE,
        /** Excludes calls that write, by a read-write lock. */
        READ,
        /** Excludes calls that read or write, by a read-write lock. */
        WRITE
    }

    /**
     * Returns the lock's name, with expressions in braces. {@code {id}} is the parameter with {@link LockKey @LockKey("id")}. If no
     * parameter has it and the class was compiled with {@code -parameters}, {@code {id}} is the parameter of that name. {@code {order.id}}
     * calls {@code id()} or {@code getId()} of it. The value's {@code toString} is inserted unchanged: separate expressions by a character
     * that their values don't contain, or two calls may share a lock.
     *
     * <p>Several names, such as {@code {"accounts/{from}", "accounts/{to}"}}, are acquired together, all or none, as
     * {@link io.hasp.LockClient#allOf(io.hasp.DistributedLock...)} does: calls with the same names in any order don't deadlock. The
     * {@link #mode} and {@link #permits} apply to each. An injected {@code Provider<MultiLease>} has a token for each name.
     *
     * <p>In Spring <code>#{…}</code> is an expression of SpEL with the parameters as {@code #id}, the object as root, and beans as
     * {@code @name}, and <code>${…}</code> a property, here and in the other texts.
     *
     * @return the template, or several
     */
    String[] value();

    /**
     * Takes a read-write lock instead of an exclusive one. All methods of one name must use the same kind of lock: a call whose name is in
     * use as another kind ends with {@link BackendException}.
     *
     * @return {@link Mode#READ} or {@link Mode#WRITE}, as in {@link io.hasp.LockClient#readWriteLock}
     */
    Mode mode() default Mode.EXCLUSIVE;

    /**
     * Limits the number of concurrent calls, by a {@link io.hasp.LockClient#semaphore} with this total; each call takes one permit. The
     * same for all methods of one name.
     *
     * @return 1 or more; 0, the default, takes a lock. Not together with {@link #mode}
     */
    int permits() default 0;

    /**
     * Limits the wait while other holders have the lock: {@code 500ms}, {@code 2s}, {@code 5m} or ISO-8601. {@code 0s} is exactly one
     * attempt. When the wait ends without the lock, {@link LockBusyException} is thrown and the method does not run.
     *
     * @return empty, the default, waits without limit
     */
    String waitAtMost() default "";

    /**
     * Skips the method, instead of throwing, when the wait ends without the lock. Needs {@link #waitAtMost}, and a method that returns
     * nothing. For jobs that are scheduled on every instance while one runs at a time.
     *
     * @return false, the default, throws
     */
    boolean skipIfBusy() default false;

    /**
     * Holds the lock for at most this time, without renewal: 10 ms to 365 days, written like {@link #waitAtMost}.
     *
     * @return empty, the default, renews the lock for as long as the method runs and the client's max hold allows
     */
    String fixedLease() default "";

    /**
     * Renews the lock for as long as the method runs, with another lease than the client's: 10 ms to 365 days, written like
     * {@link #waitAtMost}. Not together with {@link #fixedLease}.
     *
     * @return empty, the default, is the client's
     */
    String renewedLease() default "";

    /**
     * Leaves the lock taken until this time has passed since its grant, however early the method ends, and whatever happens to the process:
     * 10 ms to 365 days, written like {@link #waitAtMost}. {@link io.hasp.LockOptions#takenAtLeast} has the limits of this promise. For
     * jobs that are scheduled on every instance, with {@link #waitAtMost} and {@link #skipIfBusy}.
     *
     * <p>A service without this capability (ZooKeeper, Redlock) is refused when Spring's container starts. Elsewhere, and with a client
     * that is not connected by then, a call ends with {@link io.hasp.UnsupportedCapabilityException}, before anything is sent.
     *
     * @return empty, the default, leaves it free after the method
     */
    String takenAtLeast() default "";

    /**
     * Sets the reaction to a loss of the lock while the method runs. With {@link OnLoss#INTERRUPT} its thread is interrupted, or its
     * {@link java.util.concurrent.CompletionStage} is cancelled if the method has returned one; the call ends with
     * {@link LeaseLostException}. In Spring no transaction that began in the method is committed then, whatever the method throws.
     *
     * @return {@link OnLoss#CLIENT}, the default, follows the options of the client
     */
    OnLoss onLoss() default OnLoss.CLIENT;

    /**
     * Selects the client by the name that {@code HaspModule.named} gave it, or {@code hasp.clients.NAME} in Spring.
     *
     * @return empty, the default, is the client without a name
     */
    String client() default "";
}
