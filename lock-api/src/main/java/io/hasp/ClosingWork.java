package io.hasp;

import io.hasp.engine.WorkInProgress;
import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.LockName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the threads that work under the leases of a client that closes, and the places at which they acquired them. Thread-safe. */
final class ClosingWork implements WorkInProgress {
    private static final Set<String> OURS = Set.of("io.hasp", "io.hasp.locked.spi");
    private static final Set<String> CALLS = Set.of(DistributedLock.class.getName(), MultiLock.class.getName());
    /** Packages of containers between a caller and the method that it calls. */
    private static final List<String> BETWEEN = List.of(
            "io.hasp.guice.",
            "io.hasp.spring.",
            "org.springframework.",
            "com.google.inject.",
            "java.lang.reflect.",
            "jdk.internal.");

    @Override
    public Predicate<HeldLease> stuck(Set<Thread> closing) {
        boolean processEnds = processEnds();
        Map<Thread, Boolean> exits = new HashMap<>();
        Predicate<@Nullable Thread> waits = thread -> thread != null
                && (closing.contains(thread) || (processEnds && exits.computeIfAbsent(thread, ClosingWork::exits)));
        return lease -> lease.handle instanceof LeaseHandles.Handle handle
                && (waits.test(handle.holder()) || waits.test(handle.beginner));
    }

    /** Asks the runtime the only question that it answers about its end. */
    private static boolean processEnds() {
        Thread hook = new Thread(null, () -> {}, "hasp-hook", 0, false);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
            return false;
        } catch (IllegalStateException ends) {
            return true;
        }
    }

    /** Such a thread waits for the shutdown hooks, and one of them may be closing the client. */
    private static boolean exits(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
    }

    @Override
    public boolean interrupt(HeldLease lease) {
        return lease.handle instanceof LeaseHandles.Handle handle
                && handle.lossTasks() != null
                && handle.lossTasks().interrupt();
    }

    @Override
    public String describe(LockName name, HeldLease lease) {
        String named = LockEvents.lease(name, lease.token());
        if (!(lease.handle instanceof LeaseHandles.Handle handle)) {
            return named + " at an unknown place";
        }
        Thread thread = handle.holder();
        StackTraceElement place = handle.place().isEmpty()
                ? placeOfCall(thread)
                : handle.place().stream()
                        .filter(ClosingWork::isUsers)
                        .findFirst()
                        .orElse(handle.place().get(0));
        return named
                + (thread == null ? "" : " by thread '" + thread.getName() + "'")
                + (place == null ? " at an unknown place" : " at " + place);
    }

    /** A thread inside of one call under a lock was there when it took the lock. Null if it is in no such call, or in several. */
    private static @Nullable StackTraceElement placeOfCall(@Nullable Thread thread) {
        StackTraceElement place = null;
        boolean inside = false;
        for (StackTraceElement frame : thread == null ? new StackTraceElement[0] : thread.getStackTrace()) {
            boolean call = CALLS.contains(frame.getClassName());
            if (call && place != null) {
                return null;
            }
            inside |= call;
            if (inside && isUsers(frame)) {
                place = frame;
                inside = false;
            }
        }
        return place;
    }

    private static boolean isUsers(StackTraceElement frame) {
        String name = frame.getClassName();
        String packageName = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        return !OURS.contains(packageName)
                && !packageName.startsWith("io.hasp.engine")
                && !name.contains("$$")
                && BETWEEN.stream().noneMatch(name::startsWith);
    }
}
