package io.hasp.memory;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LeaseLostException;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockEvent;
import io.hasp.LockListener;
import io.hasp.LockOptions;
import io.hasp.OnLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Blocks all that a program may block: observers, an executor that runs tasks on the spot, and a listener that says that it does not
 * block. Says what that cost: leases of a healthy server, or the interrupt of work whose lease ended. Empty if nothing.
 */
final class BlockedUserCodeProbe implements Callable<String> {
    private static final Duration LEASE = Duration.ofMillis(600);
    private static final int HEALTHY = 20;
    private static final int MORE_THAN_ALL_NOTICES = 40;

    private volatile CountDownLatch unblocked = new CountDownLatch(1);

    private void block() {
        try {
            unblocked.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says that it never blocks. */
    private final class Liar implements LockListener {
        @Override
        public boolean isNonBlocking() {
            return true;
        }

        @Override
        public void onEvent(LockEvent event) {
            if (event instanceof LockEvent.Renewed) {
                block();
            }
        }
    }

    @Override
    public String call() throws Exception {
        ClientOptions plain = ClientOptions.defaults().renewedLease(LEASE);
        return costs("own threads", plain, true)
                + costs("executor on the spot", plain.executor(Runnable::run), true)
                + costs("listener", plain.addListener(new Liar()), false);
    }

    /** A listener that says that it does not block may block callers, so there may be no work to interrupt. */
    private String costs(String what, ClientOptions options, boolean interrupts) throws Exception {
        unblocked = new CountDownLatch(1);
        Thread prober = Thread.currentThread();
        MemoryServer server = new MemoryServer(new RealClock());
        LockClient client = LockClient.over(server.link(), options);
        try {
            List<Lease> healthy = new ArrayList<>();
            for (int i = 0; i < HEALTHY; i++) {
                healthy.add(client.lock("healthy-" + i).tryAcquire().orElseThrow());
            }
            for (int i = 0; i < MORE_THAN_ALL_NOTICES; i++) {
                // On a slow machine the lease is over, and the notification comes here.
                observed(client, "observed-" + i).onChange(Runnable::run, state -> {
                    if (Thread.currentThread() != prober) {
                        block();
                    }
                });
            }
            TimeUnit.NANOSECONDS.sleep(LEASE.dividedBy(2).toNanos());
            boolean interrupted = !interrupts || interrupted(client);
            TimeUnit.NANOSECONDS.sleep(LEASE.multipliedBy(2).toNanos());
            long lost = healthy.stream()
                    .filter(lease -> lease.state() == LeaseState.LOST)
                    .count();
            return (interrupted ? "" : what + ": no interrupt; ") + (lost == 0 ? "" : what + ": " + lost + " lost; ");
        } finally {
            unblocked.countDown();
            client.closeNow();
        }
    }

    /** Its lease is so short that a grant may come too late. */
    private static Lease observed(LockClient client, String name) {
        DistributedLock lock = client.lock(name, LockOptions.defaults().fixedLease(LEASE.dividedBy(4)));
        while (true) {
            try {
                return lock.tryAcquire(LEASE).orElseThrow();
            } catch (BackendException late) {
                Thread.onSpinWait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static boolean interrupted(LockClient client) throws InterruptedException {
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread worker = new Thread(() -> {
            LockOptions options =
                    LockOptions.defaults().onLoss(OnLoss.INTERRUPT).maxHold(LEASE.dividedBy(4));
            try {
                client.lock("interrupted", options).run(lease -> {
                    try {
                        TimeUnit.SECONDS.sleep(3);
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                    }
                });
            } catch (InterruptedException | LeaseLostException e) {
                Thread.currentThread().interrupt();
            }
        });
        worker.start();
        worker.join(2_000);
        return interrupted.get();
    }
}
