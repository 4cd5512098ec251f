package io.hasp.memory;

import io.hasp.ClientTiming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The machine's clock for one client whose process may be stopped: until it goes on, no task of its own runs. Thread-safe. */
final class StoppableTiming implements ClientTiming {
    private static final ScheduledExecutorService SCHEDULER = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "stoppable-timing");
        thread.setDaemon(true);
        return thread;
    });

    private final List<Runnable> held = new ArrayList<>();
    private boolean stopped;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Future<?> scheduled = SCHEDULER.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    private void run(Runnable task) {
        synchronized (this) {
            if (stopped) {
                held.add(task);
                return;
            }
        }
        task.run();
    }

    synchronized void stop() {
        stopped = true;
    }

    synchronized void goOn() {
        stopped = false;
        held.forEach(SCHEDULER::execute);
        held.clear();
    }
}
