package io.hasp;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.lease.HeldLease;
import java.lang.StackWalker.StackFrame;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds leases that are held although the program has dropped the {@link Lease}, so that no code can release them. The engine refers only
 * to the {@link LeaseControl} behind a {@code Lease}, and the engine's lease keeps a phantom reference: there is no list to maintain, and
 * no work at a release. The place of an acquisition is noted for the first one and for one of {@value #SAMPLED}.
 */
final class LeaseHandles {
    private static final int SAMPLED = 64;
    private static final int FRAMES = 4;
    private static final StackWalker STACK = StackWalker.getInstance();

    /** Describes a lease that was given to the program. */
    static final class Handle extends PhantomReference<Lease> {
        private final LeaseControl control;
        private final List<StackTraceElement> place;
        private volatile @Nullable Thread holder;
        private final @Nullable LossTasks lossTasks;
        /** The thread that begins asynchronous work under the lease, or receives the lease from a future; else null. */
        volatile @Nullable Thread beginner;
        /** Used by the holder's thread only. */
        private boolean selfWaitReported;

        private Handle(
                Lease lease,
                LeaseControl control,
                @Nullable LossTasks lossTasks,
                List<StackTraceElement> place,
                @Nullable Thread holder,
                ReferenceQueue<Lease> dropped) {
            super(lease, dropped);
            this.control = control;
            this.lossTasks = lossTasks;
            this.place = place;
            this.holder = holder;
        }

        @Nullable
        Thread holder() {
            return holder;
        }

        @Nullable
        LossTasks lossTasks() {
            return lossTasks;
        }

        List<StackTraceElement> place() {
            return place;
        }
    }

    private final LockEvents events;
    private final ReferenceQueue<Lease> dropped = new ReferenceQueue<>();
    private final AtomicInteger acquisitions = new AtomicInteger();

    LeaseHandles(LockEvents events) {
        this.events = events;
    }

    /** Returns the place of the library's caller; empty if this acquisition is not sampled. */
    List<StackTraceElement> samplePlace() {
        if (acquisitions.getAndIncrement() % SAMPLED != 0) {
            return List.of();
        }
        return STACK.walk(frames -> frames.filter(LeaseHandles::isOutside)
                .limit(FRAMES)
                .map(StackFrame::toStackTraceElement)
                .toList());
    }

    private static boolean isOutside(StackFrame frame) {
        String name = frame.getClassName();
        String packageName = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        return !packageName.equals("io.hasp") && !packageName.startsWith("io.hasp.engine");
    }

    /** Notes that the program receives the lease: on this thread, if a thread waited for it. */
    void given(
            Lease lease,
            LeaseControl control,
            @Nullable LossTasks lossTasks,
            List<StackTraceElement> place,
            @Nullable Thread holder) {
        control.lease().handle = new Handle(lease, control, lossTasks, place, holder, dropped);
    }

    /** Notes that the calling thread does all work under a lease that came with a future. */
    static void takenOver(HeldLease lease) {
        if (lease.handle instanceof Handle handle) {
            handle.holder = Thread.currentThread();
        }
    }

    /** Runs a task of the calling thread that belongs to work under the lease. */
    void beginning(HeldLease lease, Runnable task) {
        if (!(lease.handle instanceof Handle handle)) {
            task.run();
            return;
        }
        Thread before = handle.beginner;
        handle.beginner = Thread.currentThread();
        try {
            task.run();
        } finally {
            handle.beginner = before;
        }
    }

    /** Reports the leases that were dropped since the last call. */
    void reportDropped() {
        for (Reference<? extends Lease> one = dropped.poll(); one != null; one = dropped.poll()) {
            Handle handle = (Handle) one;
            if (!handle.control.life().ended()) {
                events.dropped(handle.control.lockName(), handle.control.lease().token(), handle.place);
            }
        }
    }

    /** Notes that the calling thread begins to wait while that lease is alive. */
    void waits(@Nullable HeldLease alive) {
        if (alive != null
                && alive.handle instanceof Handle handle
                && handle.holder == Thread.currentThread()
                && !handle.control.life().ended()
                && !handle.selfWaitReported) {
            handle.selfWaitReported = true;
            events.waitsForItself(
                    handle.control.lockName(), Thread.currentThread().getName());
        }
    }
}
