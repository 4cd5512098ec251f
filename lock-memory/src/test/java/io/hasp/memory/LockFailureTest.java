package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.LockException;
import io.hasp.LockFailure;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import io.hasp.TryResult;
import io.hasp.UnsupportedCapabilityException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every exception of Hasp's belongs to one family, is of the JDK's kind, and names its lock. */
class LockFailureTest {
    private final LockClient client = LockClient.connect("memory://failures");

    @AfterEach
    void close() {
        client.close();
    }

    private static void assertFails(Class<?> kind, Class<?> ofTheJdk, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(kind).isInstanceOf(ofTheJdk).isInstanceOf(LockFailure.class);
        assertThat(((LockFailure) thrown).lockName()).contains("a");
        assertThat(((LockFailure) thrown).fencingToken()).isEmpty();
    }

    @Test
    void what_a_program_does_wrong_is_an_exception_of_the_jdks_kind() throws InterruptedException {
        assertFails(
                InvalidArgumentException.class,
                IllegalArgumentException.class,
                () -> client.semaphore("a", 3).tryAcquire(4));
        assertFails(UnsupportedCapabilityException.class, UnsupportedOperationException.class, () -> {
            var lock = client.readWriteLock("a").asReadWriteLock();
            lock.readLock().lock();
            try {
                lock.writeLock().lock();
            } finally {
                lock.readLock().unlock();
            }
        });
        client.close();
        assertFails(
                ClientClosedException.class,
                IllegalStateException.class,
                () -> client.lock("a").tryAcquire());
        assertThat(client.lock("a").acquireAsync())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(ClientClosedException.class);
    }

    @Test
    void a_lock_of_another_kind_is_a_kind_of_backend_failure() {
        Lease held = client.semaphore("a", 3).tryAcquire().orElseThrow();
        assertFails(
                BackendException.class,
                LockException.class,
                () -> client.lock("a").tryAcquire());
        assertThatThrownBy(() -> client.lock("a").tryAcquire())
                .isInstanceOfSatisfying(
                        BackendException.class,
                        refused -> assertThat(refused.kind()).isEqualTo(BackendException.Kind.OTHER_KIND));
        held.release();
    }

    @Test
    void a_busy_lock_belongs_to_the_family() {
        LockBusyException busy = new LockBusyException("a", Duration.ofSeconds(1), "Orders.ship()");
        assertThat(busy).isInstanceOf(LockException.class);
        assertThat(busy.lockName()).contains("a");
    }

    @Test
    void a_failure_that_is_about_no_single_lock_names_none() {
        assertThatThrownBy(() -> LockClient.connect("memory://a?onLoss=client"))
                .isInstanceOfSatisfying(
                        InvalidArgumentException.class,
                        refused -> assertThat(refused.lockName()).isEmpty())
                .hasMessageContaining("onLoss=client is neither interrupt nor continue");
        assertThatThrownBy(() -> ClientOptions.defaults().onLoss(OnLoss.CLIENT))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("onLoss is CLIENT: ");
        assertThat(LockOptions.defaults().onLoss()).isEqualTo(OnLoss.CLIENT);
    }

    @Test
    @SuppressWarnings("NullAway") // It does not know type arguments.
    void work_that_returned_null_is_told_from_work_that_did_not_run() {
        TryResult<?> nothing = client.lock("a").<@Nullable Object, RuntimeException>tryCall(lease -> null);
        assertThat(nothing.ran()).isTrue();
        assertThat(nothing.toOptional()).isEmpty();
        Lease held = client.lock("a").tryAcquire().orElseThrow();
        TryResult<String> busy = client.lock("a").tryCall(lease -> "ran");
        assertThat(busy).isEqualTo(TryResult.busy()).isInstanceOf(TryResult.Busy.class);
        assertThat(busy.ran()).isFalse();
        assertThat(busy.toOptional()).isEmpty();
        held.release();
        assertThat(client.lock("a").tryCall(lease -> "ran").toOptional()).contains("ran");
    }
}
