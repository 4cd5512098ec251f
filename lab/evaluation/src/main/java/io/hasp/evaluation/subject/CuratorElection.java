package io.hasp.evaluation.subject;

import io.hasp.conformance.Hold;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;

/** Curator's two elections, with a new candidate for each hold. Stateless. */
final class CuratorElection {
    private CuratorElection() {}

    static Optional<Hold> elected(CuratorFramework client, String path, boolean latch, Duration wait) throws Exception {
        return latch ? latch(client, path, wait) : selector(client, path, wait);
    }

    private static Optional<Hold> latch(CuratorFramework client, String path, Duration wait) throws Exception {
        LeaderLatch latch = new LeaderLatch(client, path);
        latch.start();
        if (!latch.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            latch.close();
            return Optional.empty();
        }
        return Optional.of(() -> {
            boolean led = latch.hasLeadership();
            latch.close();
            return led;
        });
    }

    /** The leader resigns when its method returns. */
    private static Optional<Hold> selector(CuratorFramework client, String path, Duration wait)
            throws InterruptedException {
        CountDownLatch elected = new CountDownLatch(1);
        CountDownLatch resigned = new CountDownLatch(1);
        LeaderSelector selector = new LeaderSelector(client, path, new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(CuratorFramework any) throws InterruptedException {
                elected.countDown();
                resigned.await();
            }
        });
        selector.start();
        if (!elected.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            selector.close();
            return Optional.empty();
        }
        return Optional.of(() -> {
            boolean led = selector.hasLeadership();
            resigned.countDown();
            return led;
        });
    }
}
