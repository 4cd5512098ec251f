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
 * Finds leases that are held and that nobody can release any more, because the program dropped its {@link Lease}. The engine
 * itself never refers to a {@code Lease}, only to the {@link LeaseControl} behind it; the lease behind that keeps a phantom reference, so there
 * is no list to maintain and nothing to do at release. Where a lease was acquired is noted for one of {@value #SAMPLED}, and
 * for the first.
 */
final class LeaseHandles {
    private static final int SAMPLED = 64;
    private static final int FRAMES = 4;
    private static final StackWalker STACK = StackWalker.getInstance();

    /** What is known of a lease that was given to the program. */
    static final class Handle extends PhantomReference<Lease> {
        private final LeaseControl control;
        private final List<StackTraceElement> place;
        private final @Nullable Thread holder;
        private final @Nullable LossTasks lossTasks;
        /** The thread that runs the beginning of work that ends with a future, or takes the lease from one; else null. */
        volatile @Nullable Thread beginner;
        /** Only the holder's thread looks at it. */
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

    /** Where the caller of the library stands; empty if this acquisition is not one of the sample. */
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

    /** The lease is given to the program: to this thread, if one waited for it. */
    void given(
            Lease lease,
            LeaseControl control,
            @Nullable LossTasks lossTasks,
            List<StackTraceElement> place,
            @Nullable Thread holder) {
        control.lease().handle = new Handle(lease, control, lossTasks, place, holder, dropped);
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

    /** Reports what was dropped since it was asked last. */
    void reportDropped() {
        for (Reference<? extends Lease> one = dropped.poll(); one != null; one = dropped.poll()) {
            Handle handle = (Handle) one;
            if (!handle.control.life().ended()) {
                events.dropped(handle.control.lockName(), handle.control.lease().token(), handle.place);
            }
        }
    }

    /** The calling thread begins to wait while that lease is alive. */
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
