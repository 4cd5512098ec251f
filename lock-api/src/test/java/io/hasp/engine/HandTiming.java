package io.hasp.engine;

import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A clock that stands still until it is set, and timers that fire when a test calls them. Thread-safe. */
public final class HandTiming implements Timing {
    private final List<Alarm> alarms = new ArrayList<>();
    private volatile long now;

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public synchronized Timer schedule(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(now + delay.toNanos(), task);
        alarms.add(alarm);
        return () -> cancel(alarm);
    }

    private synchronized void cancel(Alarm alarm) {
        alarms.remove(alarm);
    }

    /** Returns the number of timers that are set. */
    synchronized int alarms() {
        return alarms.size();
    }

    public void set(long moment) {
        now = moment;
    }

    /** Fires those that are due, each on the calling thread. */
    public void fire() {
        for (Alarm alarm = takeDue(); alarm != null; alarm = takeDue()) {
            alarm.task().run();
        }
    }

    private synchronized @Nullable Alarm takeDue() {
        for (Alarm alarm : alarms) {
            if (alarm.at() <= now) {
                alarms.remove(alarm);
                return alarm;
            }
        }
        return null;
    }

    private record Alarm(long at, Runnable task) {}
}
