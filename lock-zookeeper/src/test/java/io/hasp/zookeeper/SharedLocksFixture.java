package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.spi.Attempt;
import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.List;

/** Two clients that share a lock: a semaphore of a few permits, or a read-write lock. */
public abstract class SharedLocksFixture extends TwoClientsFixture {
    static final int PERMITS = 3;
    static final Share PERMIT = new Share(1, PERMITS);

    List<Probe.Holder> holders(int count) {
        List<Probe.Holder> holders = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Probe.Holder holder = a.holder(lock, PERMIT);
            holder.granted();
            holders.add(holder);
        }
        return holders;
    }

    List<Probe.Holder> waiters(int count, Share share) {
        List<Probe.Holder> waiters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Probe.Holder waiter = b.holder(lock, share);
            busy(waiter);
            waiters.add(waiter);
        }
        return waiters;
    }

    public static void busy(Probe.Holder holder) {
        assertThat(holder.attempt()).isInstanceOf(Attempt.Busy.class);
    }

    /** As soon as its client is connected. */
    static void busyOnceConnected(Probe.Holder holder) {
        assertThat(holder.answered()).isInstanceOf(Attempt.Busy.class);
    }

    public static void watches(int count) {
        await().untilAsserted(() -> assertThat(SERVER.admin().watches()).isEqualTo(count));
    }
}
