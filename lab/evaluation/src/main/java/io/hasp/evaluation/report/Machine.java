package io.hasp.evaluation.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The machine of the measurement.
 *
 * @param os operating system and its version
 * @param cpu the processor's name, or its architecture if the name can't be read
 * @param cores processors available to the virtual machine
 * @param memoryMb the machine's memory
 * @param storage the type of file system of the servers started here
 * @param java the virtual machine
 * @param date the date of the measurement
 * @param versions of servers and libraries
 */
public record Machine(
        String os,
        String cpu,
        int cores,
        long memoryMb,
        String storage,
        String java,
        String date,
        Map<String, String> versions) {

    /**
     * Looks at this machine.
     *
     * @param versions of servers and libraries
     * @return its description
     */
    public static Machine describe(Map<String, String> versions) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                processor(),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize() >> 20,
                fileSystem(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                versions);
    }

    private static String processor() {
        String architecture = System.getProperty("os.arch");
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip() + " (" + architecture + ")")
                    .findFirst()
                    .orElse(architecture);
        } catch (IOException e) {
            return architecture;
        }
    }

    private static String fileSystem() {
        try {
            return Files.getFileStore(Path.of(System.getProperty("java.io.tmpdir")))
                    .type();
        } catch (IOException e) {
            return "unknown";
        }
    }

    @Override
    public String toString() {
        return cores + (cores == 1 ? " core" : " cores") + " " + cpu + ", " + memoryMb / 1024 + " GB, " + os + ", "
                + storage + "; Java " + System.getProperty("java.version") + ", "
                + versions.entrySet().stream()
                        .map(version -> version.getKey() + " " + version.getValue())
                        .collect(Collectors.joining(", "));
    }
}
