package io.hasp.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LeaseObserversTest {
    /** The release of a lease at its end waits for its observers, also for those that still receive the previous state. */
    @Test
    void le2_what_follows_the_news_waits_for_an_observer_that_is_still_told_of_earlier_news() throws Exception {
        LeaseObservers observers = new LeaseObservers();
        List<Object> notified = new CopyOnWriteArrayList<>();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        observers.add(state -> {
            if (state == LeaseLife.State.SUSPECT) {
                entered.countDown();
                awaitQuietly(goOn);
            }
            notified.add(state);
        });
        observers.note(LeaseLife.State.SUSPECT);
        Thread notifier = new Thread(observers::deliver);
        notifier.start();
        entered.await();

        observers.note(LeaseLife.State.LOST);
        observers.afterwards(() -> notified.add("released"));
        observers.deliver();
        assertThat(notified).isEmpty();
        goOn.countDown();
        notifier.join();

        assertThat(notified).containsExactly(LeaseLife.State.SUSPECT, LeaseLife.State.LOST, "released");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
