package io.hasp;

import java.lang.StackWalker.StackFrame;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Finds leases that are held and that nobody can release any more, because the program dropped its {@link Lease}. The engine
 * itself never refers to a {@code Lease}, only to the {@link Tenure} behind it; the tenure keeps a phantom reference, so there
 * is no list to maintain and nothing to do at release. Where a lease was acquired is noted for one of {@value #SAMPLED}, and
 * for the first.
 */
final class LeaseHandles {
    private static final int SAMPLED = 64;
    private static final int FRAMES = 4;
    private static final StackWalker STACK = StackWalker.getInstance();

    /** What is known of a lease that was given to the program. */
    static final class Handle extends PhantomReference<Lease> {
        private final Tenure tenure;
        private final List<StackTraceElement> place;
        private final @Nullable Thread holder;
        private final AtomicBoolean selfWaitReported = new AtomicBoolean();

        private Handle(
                Lease lease,
                Tenure tenure,
                List<StackTraceElement> place,
                @Nullable Thread holder,
                ReferenceQueue<Lease> dropped) {
            super(lease, dropped);
            this.tenure = tenure;
            this.place = place;
            this.holder = holder;
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
        return !name.substring(0, Math.max(0, name.lastIndexOf('.'))).equals("io.hasp");
    }

    /** The lease is given to the program: to this thread, if one waited for it. */
    void given(Lease lease, Tenure tenure, List<StackTraceElement> place, @Nullable Thread holder) {
        tenure.handle = new Handle(lease, tenure, place, holder, dropped);
    }

    /** Reports what was dropped since it was asked last. */
    void reportDropped() {
        for (Reference<? extends Lease> one = dropped.poll(); one != null; one = dropped.poll()) {
            Handle handle = (Handle) one;
            LeaseState state = handle.tenure.state();
            if (state == LeaseState.HELD || state == LeaseState.SUSPECT) {
                events.dropped(handle.tenure.queue.name, handle.tenure.token(), handle.place);
            }
        }
    }

    /** The calling thread begins to wait while that lease is alive. */
    void waits(@Nullable Tenure alive) {
        Handle handle = alive == null ? null : alive.handle;
        if (handle != null
                && handle.holder == Thread.currentThread()
                && !handle.tenure.life().ended()
                && handle.selfWaitReported.compareAndSet(false, true)) {
            events.waitsForItself(
                    handle.tenure.queue.name, Thread.currentThread().getName());
        }
    }
}
