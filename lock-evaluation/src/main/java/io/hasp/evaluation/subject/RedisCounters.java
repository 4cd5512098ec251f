package io.hasp.evaluation.subject;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.evaluation.measure.ServerCounters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What Redis servers count: {@code INFO commandstats} counts a script and each command that it calls.
 *
 * @param servers one, or several that are counted together
 */
record RedisCounters(List<RedisServer> servers) implements ServerCounters {
    private static final String COMMAND = "cmdstat_";
    private static final String OWN = "cmdstat_info:";
    private static final String CALLS = "calls=";

    @Override
    public long commands() {
        return info("commandstats")
                .filter(line -> line.startsWith(COMMAND) && !line.startsWith(OWN))
                .mapToLong(RedisCounters::calls)
                .sum();
    }

    /** A line such as {@code cmdstat_get:calls=21,usec=175,...}. */
    private static long calls(String line) {
        int from = line.indexOf(CALLS) + CALLS.length();
        return Long.parseLong(line.substring(from, line.indexOf(',', from)));
    }

    @Override
    public long cpuNanos() {
        double seconds = info("cpu")
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    private Stream<String> info(String section) {
        return servers.stream()
                .flatMap(server ->
                        String.valueOf(server.command("INFO", section)).lines());
    }
}
