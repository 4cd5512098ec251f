package io.hasp.locked;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.InvalidArgumentException;
import io.hasp.LeaseLostException;
import io.hasp.OnLoss;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.CancellationException;

/**
 * Runs a method under a lock: acquire, run, release. For methods of objects that a container constructs: of Guice, in an injector
 * with {@code HaspModule} or {@code LockedModule}; of Spring Boot, with {@code lock-spring-boot}.
 *
 * <pre>{@code
 * @Locked("orders/{id}")
 * public void ship(@LockKey("id") long id) {
 *     store.write(id, lease.get().fencingToken());     // Provider<Lease> lease, or Spring's ObjectProvider<Lease>
 * }
 * }</pre>
 *
 * <p><b>On a class</b> the annotation is for each method that the class itself declares, but private and static ones and {@code equals},
 * {@code hashCode} and {@code toString}. That of a method replaces it. <b>On another annotation</b> it makes that one a name for itself:
 *
 * <pre>{@code
 * @Locked(value = "stock/{id}", waitAtMost = "2s")
 * @Retention(RUNTIME)
 * @interface StockLock {}
 * }</pre>
 *
 * <p><b>When the lock is lost</b> while the method runs, the method goes on, or is interrupted, as {@link #onLoss} says. An injected
 * {@code Provider<Lease>} gives the innermost lease of the calling thread: send its token with every protected write. A method
 * that returned although its lock was lost, or was released under it, ends with {@link LeaseLostException} instead of its result,
 * and so does one that threw after it had been interrupted.
 *
 * <p><b>Re-entry.</b> A call for a lock that a {@code @Locked} method further up on the same thread holds runs under that very
 * lease; what the annotation of the inner call says of waiting, lease, loss and {@link #takenAtLeast} is not looked at. A call that reads may
 * run under the lease of one that writes; the other way round it fails with {@link io.hasp.UnsupportedCapabilityException}. It fails with {@link LeaseLostException} if the lease is over. A
 * lock that the thread holds in another way is not re-entered: the call waits for it like anybody else's.
 *
 * <p><b>What the caller gets</b>, before the method has begun: {@link LockBusyException} if another held the lock for the whole
 * wait; {@link BackendException} and {@link ClientClosedException} as in {@link io.hasp.DistributedLock#acquire};
 * {@link InvalidArgumentException} if the filled name is no lock name, and {@link IllegalArgumentException} if a part of it is
 * null; and when the thread is interrupted {@link InterruptedException} if the method declares it, else
 * {@link CancellationException} with the thread's interrupt flag set.
 *
 * <p><b>Refused when the container starts</b> (or, for a class that it meets later, when its first object is asked for):
 * an expression that can't be filled; a private, final, static or abstract method, a package-private one of a class in another package, a method of an interface, a final class, an
 * object that the container does not intercept, because the lock would silently not be taken; a method that returns a future, a
 * stream, an iterator, a supplier or a callable, or a collection, an array, an optional or a response of those, because the lock would be released before the work is done ({@link io.hasp.DistributedLock#acquireAsync} is
 * for that). Where a method declares something wider, such as {@code Object}, and returns one of those, its call ends with
 * {@link IllegalStateException}.
 *
 * <p>The annotation is not inherited by a method that overrides.
 *
 * <p><b>In Guice</b> a method that other interceptors surround, such as one that opens a transaction, is locked outside of those
 * whose modules are installed later: install Hasp's module first. Calls within an object are intercepted, too.
 *
 * <p><b>In Spring</b> the lock is always outside of {@code @Transactional}: the commit comes before the release. A call inside of
 * a transaction that began before holds its lock until that has ended; re-entry counts for as long. A call within an object
 * ({@code this.ship(42)}) does not pass the proxy and takes no lock, as with {@code @Transactional}: call the method of another
 * bean. A method that returns {@link java.util.concurrent.CompletionStage} or {@link java.util.concurrent.CompletableFuture}
 * holds its lock until that has completed, and its lease is of the calling thread only until it returns. Only the returned stage
 * counts: one that is cancelled, or that {@code orTimeout} ends, releases the lock although its work may go on. Return the stage
 * that completes when the work has ended.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Locked {

    /** Which other calls a call excludes. */
    enum Mode {
        /** Every other call, in an exclusive lock. The default. */
        EXCLUSIVE,
        /** Calls that write, in a read-write lock. */
        READ,
        /** Calls that read or write, in a read-write lock. */
        WRITE
    }

    /**
     * The lock's name, with expressions in braces. {@code {id}} is the parameter that is annotated with
     * {@link LockKey @LockKey("id")}, or, where no parameter is and the class was compiled with {@code -parameters}, the one of
     * that name. {@code {order.id}} calls {@code id()} or {@code getId()} of it. The value's {@code toString} is put in as it
     * is: separate expressions by something that their values don't contain, or two calls may share a lock.
     *
     * <p>In Spring <code>#{…}</code> is an expression of SpEL with the parameters as {@code #id}, the object as root, and beans as
     * {@code @name}, and <code>${…}</code> a property, here and in the other texts.
     *
     * @return the template
     */
    String value();

    /**
     * Takes a read-write lock instead of an exclusive one. All methods of one name are of the same kind: a call whose name is in use as
     * another kind of lock ends with {@link BackendException}.
     *
     * @return {@link Mode#READ} or {@link Mode#WRITE}, as {@link io.hasp.LockClient#readWriteLock} has them
     */
    Mode mode() default Mode.EXCLUSIVE;

    /**
     * Limits how many calls run at the same time, instead of to one: the total of a {@link io.hasp.LockClient#semaphore}, of which each
     * call has one permit. The same for all methods of one name.
     *
     * @return 1 or more; 0, the default, takes a lock. Not together with {@link #mode}
     */
    int permits() default 0;

    /**
     * How long to wait while others hold the lock: {@code 500ms}, {@code 2s}, {@code 5m} or ISO-8601. {@code 0s} is exactly one
     * attempt. When the wait ends without the lock, {@link LockBusyException} is thrown and the method does not run.
     *
     * @return empty, the default, waits without limit
     */
    String waitAtMost() default "";

    /**
     * Whether the call returns without having run when the wait ends without the lock, instead of throwing. Needs
     * {@link #waitAtMost}, and a method that returns nothing. For jobs that one of several processes does.
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
     * Leaves the lock taken until this time has passed since it was granted, however early the method ends, and whatever becomes of the
     * process: 10 ms to 365 days, written like {@link #waitAtMost}; {@link io.hasp.LockOptions#takenAtLeast} says what holds when. For jobs
     * that several processes have, with {@link #waitAtMost} and {@link #skipIfBusy}. On a service that can't do it (ZooKeeper, Redlock) it is
     * refused when Spring's container starts; elsewhere, and with a client that is not connected by then, a call ends with
     * {@link io.hasp.UnsupportedCapabilityException}, before anything is sent.
     *
     * @return empty, the default, leaves it free after the method
     */
    String takenAtLeast() default "";

    /**
     * What happens if the lock is lost while the method runs. With {@link OnLoss#INTERRUPT} its thread is interrupted, or, if it has
     * returned a {@link java.util.concurrent.CompletionStage}, that is cancelled; the call ends with {@link LeaseLostException}. In
     * Spring no transaction that began in the method is committed then, whatever the method throws.
     *
     * @return {@link OnLoss#CLIENT}, the default, does what the options of the client say
     */
    OnLoss onLoss() default OnLoss.CLIENT;

    /**
     * Which client, by the name that {@code HaspModule.named} gave it, or {@code hasp.clients.NAME} in Spring.
     *
     * @return empty, the default, is the client without a name
     */
    String client() default "";
}
