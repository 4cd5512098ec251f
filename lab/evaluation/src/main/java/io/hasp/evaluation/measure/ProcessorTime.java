package io.hasp.evaluation.measure;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time of a process. Linux tells it in nanoseconds for each thread; what Java and other systems tell has steps of ten
 * milliseconds, which is much beside a slice.
 */
public final class ProcessorTime {
    private ProcessorTime() {}

    /**
     * So far.
     *
     * @param pid the process
     * @return nanoseconds, of all threads that there are; 0 if the process has ended
     */
    public static long nanos(long pid) {
        Map<String, Long> threads = ofThreads(pid);
        return threads.isEmpty()
                ? ProcessHandle.of(pid)
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElse(Duration.ZERO)
                        .toNanos()
                : threads.values().stream().mapToLong(Long::longValue).sum();
    }

    /** By the number of the thread; empty where that is not told. */
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
            // It has ended meanwhile, or this is another system.
            return 0;
        }
    }
}
