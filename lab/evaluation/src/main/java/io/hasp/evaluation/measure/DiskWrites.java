package io.hasp.evaluation.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the bytes that a process has written to disk. Only Linux reports them. */
public final class DiskWrites {
    private static final String WRITTEN = "write_bytes:";

    private DiskWrites() {}

    /**
     * So far.
     *
     * @param pid the process
     * @return bytes of whole pages, also of those that the system has not written yet; NaN if the system does not report
     *     them or the process has ended
     */
    public static double bytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "io")).stream()
                    .filter(line -> line.startsWith(WRITTEN))
                    .mapToDouble(line ->
                            Double.parseDouble(line.substring(WRITTEN.length()).strip()))
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
