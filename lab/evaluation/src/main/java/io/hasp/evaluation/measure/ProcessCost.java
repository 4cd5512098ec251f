package io.hasp.evaluation.measure;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Measures the cost of some work for this process: its processor time, and the allocations of its threads. An ended
 * thread can't be queried, so workers report their own costs at their end. Of the other threads only those count that
 * existed in the beginning. Not thread-safe.
 */
final class ProcessCost {
    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    private static final com.sun.management.ThreadMXBean THREADS =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);

    private final Map<Long, Long> allocated = allocatedByThread();
    private final Map<String, Long> cpu = cpuByThread();
    private final long wholeCpu = PROCESS.getProcessCpuTime();

    private ProcessCost() {}

    /**
     * The costs of one thread.
     *
     * @param cpuNanos its processor time
     * @param allocatedBytes what it allocated
     */
    record OfThread(long cpuNanos, long allocatedBytes) {
        /** All of the calling thread so far. */
        static OfThread current() {
            return new OfThread(
                    THREADS.getCurrentThreadCpuTime(),
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()));
        }
    }

    /** Begins to count, before the workers are started. */
    static ProcessCost counting() {
        return new ProcessCost();
    }

    /** Since it began. */
    long cpuNanos(List<OfThread> workers) {
        return cpu.isEmpty()
                ? PROCESS.getProcessCpuTime() - wholeCpu
                : growth(cpu, cpuByThread()) + sum(workers, OfThread::cpuNanos);
    }

    /** Since it began. */
    long allocatedBytes(List<OfThread> workers) {
        return growth(allocated, allocatedByThread()) + sum(workers, OfThread::allocatedBytes);
    }

    private static <T> long growth(Map<T, Long> before, Map<T, Long> after) {
        return before.entrySet().stream()
                .mapToLong(each -> after.getOrDefault(each.getKey(), each.getValue()) - each.getValue())
                .sum();
    }

    private static long sum(List<OfThread> workers, ToLongFunction<OfThread> cost) {
        return workers.stream().mapToLong(cost).sum();
    }

    private static Map<String, Long> cpuByThread() {
        return ProcessorTime.ofThreads(ProcessHandle.current().pid());
    }

    private static Map<Long, Long> allocatedByThread() {
        Map<Long, Long> all = new HashMap<>();
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) {
                all.put(ids[i], bytes[i]);
            }
        }
        return all;
    }
}
