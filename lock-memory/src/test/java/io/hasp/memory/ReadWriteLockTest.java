package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedReadWriteLock;
import io.hasp.InvalidArgumentException;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseReleasedException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.ReentrantDistributedLock;
import io.hasp.ReentrantDistributedReadWriteLock;
import io.hasp.ReleaseResult;
import io.hasp.UnsupportedCapabilityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of read-write locks beyond the rules that every backend passes. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry")
class ReadWriteLockTest {
    private final VirtualTime time = new VirtualTime();
    private final MemoryServer server = new MemoryServer(time);
    private final ClientOptions options = ClientOptions.defaults().timing(time).executor(Runnable::run);
    private final MemoryLink link = server.link();
    private final LockClient client = LockClient.over(link, options);
    private final LockClient other = LockClient.over(server.link(), options);
    private final DistributedReadWriteLock lock = client.readWriteLock("a");
    private final DistributedReadWriteLock elsewhere = other.readWriteLock("a");
    private final ReentrantDistributedReadWriteLock owned = lock.asReadWriteLock();

    @AfterEach
    void close() {
        client.closeNow();
        other.closeNow();
        assertThat(server.size()).isZero();
    }

    @Test
    void readers_of_one_client_and_of_two_are_in_together_and_a_writer_is_alone() {
        Lease first = lock.read().tryAcquire().orElseThrow();
        Lease second = lock.read().tryAcquire().orElseThrow();
        Lease third = elsewhere.read().tryAcquire().orElseThrow();
        assertThat(lock.write().tryAcquire()).isEmpty();
        first.release();
        second.release();
        assertThat(lock.write().tryAcquire()).isEmpty();
        third.release();
        Lease writer = lock.write().tryAcquire().orElseThrow();
        assertThat(writer.fencingToken()).isGreaterThan(third.fencingToken());
        assertThat(lock.read().tryAcquire()).isEmpty();
        assertThat(elsewhere.write().tryAcquire()).isEmpty();
    }

    @Test
    void a_writer_that_waits_stops_later_readers_of_its_own_client_too() {
        Lease reader = lock.read().tryAcquire().orElseThrow();
        CompletableFuture<Lease> writer = lock.write().acquireAsync();
        assertThat(lock.read().tryAcquire()).isEmpty();
        CompletableFuture<Lease> later = lock.read().acquireAsync();
        reader.release();
        assertThat(writer).isCompleted();
        assertThat(later).isNotDone();
        writer.join().release();
        assertThat(later).isCompleted();
    }

    @Test
    void a_writer_that_gives_up_lets_the_readers_behind_it_in_at_once() {
        Lease reader = lock.read().tryAcquire().orElseThrow();
        CompletableFuture<Lease> writer = elsewhere.write().acquireAsync();
        CompletableFuture<Lease> second = lock.read().acquireAsync();
        CompletableFuture<Lease> third = elsewhere.read().acquireAsync();
        writer.cancel(false);
        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
        assertThat(reader.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_downgrade_lets_readers_in_and_no_writer_and_takes_the_next_token() {
        Lease writer = lock.write().tryAcquire().orElseThrow();
        CompletableFuture<Lease> reader = elsewhere.read().acquireAsync();
        Lease reading = lock.downgrade(writer);
        assertThat(writer.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(writer.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
        assertThat(reading.fencingToken()).isEqualTo(writer.fencingToken() + 1);
        assertThat(reader).isCompleted();
        assertThat(reader.join().fencingToken()).isGreaterThan(reading.fencingToken());
        assertThat(elsewhere.write().tryAcquire()).isEmpty();
        time.advance(Duration.ofMinutes(2));
        assertThat(reading.state()).as("renewed as a reader").isEqualTo(LeaseState.HELD);
        assertThat(reading.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void a_downgrade_whose_answer_is_lost_is_repeated() {
        Lease writer = lock.write().tryAcquire().orElseThrow();
        link.partition();
        Lease reading = lock.downgrade(writer);
        assertThat(elsewhere.read().tryAcquire())
                .as("the server does not know yet")
                .isEmpty();
        time.advance(Duration.ofSeconds(1));
        link.heal();
        time.advance(Duration.ofSeconds(10));
        assertThat(elsewhere.read().tryAcquire()).isPresent();
        assertThat(reading.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void a_fixed_lease_keeps_its_end_when_it_is_downgraded() {
        LockOptions fixed = LockOptions.defaults().fixedLease(Duration.ofSeconds(5));
        DistributedReadWriteLock brief = client.readWriteLock("b", fixed);
        Lease writer = brief.write().tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(3));
        Lease reading = brief.downgrade(writer);
        assertThat(reading.remaining()).isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(2));
        time.advance(Duration.ofSeconds(2));
        assertThat(reading.state()).isEqualTo(LeaseState.LOST);
        assertThat(other.readWriteLock("b").write().tryAcquire()).isPresent();
    }

    @Test
    void what_can_not_be_downgraded_says_why() {
        Lease reader = lock.read().tryAcquire().orElseThrow();
        assertThatThrownBy(() -> lock.downgrade(reader))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("is not a lease for writing of lock 'a'");
        Lease foreign = other.readWriteLock("b").write().tryAcquire().orElseThrow();
        assertThatThrownBy(() -> client.readWriteLock("b").downgrade(foreign))
                .isInstanceOf(InvalidArgumentException.class);
        reader.release();
        Lease released = lock.write().tryAcquire().orElseThrow();
        released.release();
        assertThatThrownBy(() -> lock.downgrade(released))
                .isInstanceOf(LeaseReleasedException.class)
                .hasMessageContaining("was released before");
        Lease lost = lock.write().tryAcquire().orElseThrow();
        server.expire("a");
        time.advance(Duration.ofSeconds(20));
        assertThatThrownBy(() -> lock.downgrade(lost))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("was lost");
    }

    @Test
    void a_thread_that_writes_may_read_and_goes_on_reading_after_it_has_written() {
        owned.writeLock().lock();
        owned.readLock().lock();
        owned.writeLock().lock();
        assertThat(owned.writeLock().getHoldCount()).isEqualTo(2);
        assertThat(owned.readLock().getHoldCount()).isEqualTo(1);
        Lease writing = owned.writeLock().lease().orElseThrow();
        owned.writeLock().unlock();
        assertThat(elsewhere.read().tryAcquire()).isEmpty();
        owned.writeLock().unlock();
        assertThat(owned.writeLock().isHeldByCurrentThread()).isFalse();
        Lease reading = owned.readLock().lease().orElseThrow();
        assertThat(reading).isNotSameAs(writing);
        assertThat(writing.state()).isEqualTo(LeaseState.RELEASED);
        Lease reader = elsewhere.read().tryAcquire().orElseThrow();
        assertThat(elsewhere.write().tryAcquire()).isEmpty();
        owned.readLock().unlock();
        reader.release();
        assertThat(elsewhere.write().tryAcquire()).isPresent();
    }

    @Test
    void a_thread_that_reads_first_ends_with_its_last_unlock_in_any_order() {
        owned.writeLock().lock();
        owned.readLock().lock();
        owned.readLock().unlock();
        assertThat(elsewhere.read().tryAcquire()).isEmpty();
        owned.writeLock().unlock();
        Lease writer = elsewhere.write().tryAcquire().orElseThrow();
        writer.release();
        assertThatThrownBy(() -> owned.readLock().unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("is not held by thread");
        assertThatThrownBy(() -> owned.writeLock().unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void an_upgrade_is_refused_by_every_way_to_lock_and_the_thread_goes_on_reading() {
        owned.readLock().lock();
        ReentrantDistributedLock write = lock.write().asReentrantLock();
        assertThatThrownBy(write::lock)
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("lock 'a' is held by this thread for reading")
                .hasMessageContaining("Unlock it for reading first");
        assertThatThrownBy(write::lockInterruptibly).isInstanceOf(UnsupportedCapabilityException.class);
        assertThatThrownBy(write::tryLock).isInstanceOf(UnsupportedCapabilityException.class);
        assertThatThrownBy(() -> write.tryLock(1, java.util.concurrent.TimeUnit.SECONDS))
                .isInstanceOf(UnsupportedCapabilityException.class);
        assertThat(owned.readLock().getHoldCount()).isEqualTo(1);
        owned.readLock().lock();
        owned.readLock().unlock();
        owned.readLock().unlock();
        write.lock();
        write.unlock();
    }

    @Test
    void a_downgrade_after_the_loss_of_the_lease_says_so_at_each_unlock() {
        owned.writeLock().lock();
        owned.readLock().lock();
        server.expire("a");
        time.advance(Duration.ofSeconds(20));
        assertThatThrownBy(() -> owned.writeLock().unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .cause()
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> owned.readLock().unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .cause()
                .isInstanceOf(LeaseLostException.class);
        owned.writeLock().lock();
        owned.writeLock().unlock();
    }

    @Test
    void kinds_refuse_each_other_for_as_long_as_somebody_holds_or_waits() {
        Lease reader = lock.read().tryAcquire().orElseThrow();
        assertThatThrownBy(() -> other.lock("a").tryAcquire())
                .isInstanceOf(BackendException.class)
                .hasMessage("could not lock 'a': it is a read-write lock at present, not an exclusive lock");
        assertThatThrownBy(() -> client.lock("a").acquire()).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> other.lock("a").acquireAsync().join()).hasCauseInstanceOf(BackendException.class);
        reader.release();
        Lease exclusive = other.lock("a").tryAcquire().orElseThrow();
        assertThatThrownBy(() -> lock.write().tryAcquire())
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "could not lock 'a' for writing: it is an exclusive lock at present, not a read-write lock");
        exclusive.release();
        assertThat(lock.write().tryAcquire()).isPresent();
    }

    @Test
    void closing_a_client_ends_all_that_it_reads() {
        Lease first = lock.read().tryAcquire().orElseThrow();
        Lease second = lock.read().tryAcquire().orElseThrow();
        client.closeNow();
        assertThat(first.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(second.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(elsewhere.write().tryAcquire()).isPresent();
    }

    @Test
    void names_and_texts_say_what_is_locked() {
        assertThat(lock.name()).isEqualTo("a");
        assertThat(lock).hasToString("DistributedReadWriteLock[a, the client's renewed lease]");
        assertThat(lock.read()).hasToString("DistributedLock[a for reading]");
        assertThat(lock.write()).hasToString("DistributedLock[a for writing]");
        assertThat(owned).hasToString("ReentrantDistributedReadWriteLock[a]");
    }
}
