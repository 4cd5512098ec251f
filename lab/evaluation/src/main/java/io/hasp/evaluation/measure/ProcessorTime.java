package io.hasp.evaluation.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The processor time of processes. Linux reports nanoseconds for each thread. Java and other systems report in steps of ten milliseconds,
 * which is coarse relative to a slice. Thread-safe.
 */
public final class ProcessorTime {
    /** The time of each thread when it was last seen. A thread that has ended, such as a compiler's, keeps it: the sum never falls. */
    private final Map<Long, Map<String, Long>> seen = new ConcurrentHashMap<>();

    /**
     * So far, from the first call for this process.
     *
     * @param pid the process
     * @return nanoseconds, without the last ones of threads that have ended since the call before; 0 if the process had ended by the first
     *     call
     */
    public long nanos(long pid) {
        Map<String, Long> threads = seen.computeIfAbsent(pid, process -> new ConcurrentHashMap<>());
        ofThreads(pid).forEach((thread, nanos) -> threads.merge(thread, nanos, Math::max));
        return threads.isEmpty()
                ? ProcessHandle.of(pid)
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElse(Duration.ZERO)
                        .toNanos()
                : threads.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * As {@link #nanos}, of a process and its descendants: those of this moment and of each moment at which this was called.
     *
     * @param pid the process
     * @return nanoseconds; of a descendant that has ended, its time when it was last seen
     */
    public long nanosWithDescendants(long pid) {
        ProcessHandle.of(pid).stream()
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .forEach(each -> nanos(each.pid()));
        return seen.keySet().stream().mapToLong(this::nanos).sum();
    }

    /** Returns the times by thread number; empty if the system does not report them. */
    static Map<String, Long> ofThreads(long pid) {
        Map<String, Long> nanos = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : all) {
                long its = ofThread(thread.resolve("schedstat"));
                if (its > 0) {
                    nanos.put(thread.getFileName().toString(), its);
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return nanos;
    }

    private static long ofThread(Path schedstat) {
        try {
            return Long.parseLong(Files.readString(schedstat).split(" ", 2)[0]);
        } catch (IOException e) {
            // The thread has just ended, or this is another system.
            return 0;
        }
    }
}
