package io.hasp.conformance.processes;

import io.hasp.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * A thread with an inheritable thread-local, a context class loader and a priority of its own, which opens a client and uses it. No
 * thread of the client may inherit one of them.
 */
public final class Tenant {
    private static final int LONGEST_SECONDS = 60;

    private final ClassLoader loader = new ClassLoader(null) {};
    private final ConcurrentLinkedQueue<String> inherited = new ConcurrentLinkedQueue<>();

    /** For one client. The JDK has one thread for the time limits of all futures of a process, which is not ours to make. */
    public Tenant() {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run))
                .join();
    }

    /**
     * Opens a client, and takes and releases locks both ways.
     *
     * @param opened opens it
     * @return what threads inherited; empty if that is nothing
     * @throws Exception if the client fails
     */
    @SuppressWarnings("ThreadPriorityCheck")
    public List<String> inheritedFrom(Callable<LockClient> opened) throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        FutureTask<List<String>> work = new FutureTask<>(() -> {
            try (LockClient client = opened.call()) {
                client.lock("tenant").tryAcquire().orElseThrow().close();
                client.lock("tenant")
                        .acquireAsync()
                        .get(LONGEST_SECONDS, TimeUnit.SECONDS)
                        .releaseAsync()
                        .get(LONGEST_SECONDS, TimeUnit.SECONDS);
                return differing(before);
            }
        });
        Thread tenant = new Thread(() -> run(work), "tenant");
        tenant.setContextClassLoader(loader);
        tenant.setPriority(Thread.MAX_PRIORITY);
        tenant.start();
        List<String> all = new ArrayList<>(work.get(2 * LONGEST_SECONDS, TimeUnit.SECONDS));
        all.addAll(inherited);
        return all;
    }

    /** The thread that creates an inheriting child also computes the child's value. */
    private void run(Runnable work) {
        InheritableThreadLocal<String> local = new InheritableThreadLocal<>() {
            @Override
            protected String childValue(String value) {
                inherited.add("thread-local, by a thread made at " + frames());
                return value;
            }
        };
        local.set("the tenant's");
        work.run();
        local.remove();
    }

    private static List<StackTraceElement> frames() {
        List<StackTraceElement> frames = List.of(Thread.currentThread().getStackTrace());
        return frames.subList(0, Math.min(frames.size(), 40));
    }

    private List<String> differing(Set<Thread> before) {
        List<String> all = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (before.contains(thread) || thread == Thread.currentThread()) {
                continue;
            }
            if (thread.getContextClassLoader() == loader) {
                all.add("context class loader, by " + thread.getName());
            }
            if (thread.getPriority() == Thread.MAX_PRIORITY) {
                all.add("priority, by " + thread.getName());
            }
        }
        return all;
    }
}
