package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.evaluation.measure.ServerCounters;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The counters of Redis servers: {@code INFO commandstats} counts a script and each command that it calls.
 *
 * @param servers one server, or several that are counted together: the answer to {@code INFO} and a section, empty if
 *     the server refuses
 * @param ownBytes the bytes of their own answers, which are no traffic of locks
 */
record RedisCounters(List<UnaryOperator<String>> servers, AtomicLong ownBytes) implements ServerCounters {
    private static final String COMMAND = "cmdstat_";
    private static final String OWN = "cmdstat_info:";
    private static final String CALLS = "calls=";
    private static final String MEMORY = "used_memory:";

    RedisCounters(List<UnaryOperator<String>> servers) {
        this(servers, new AtomicLong());
    }

    static RedisCounters of(List<RedisServer> servers) {
        return new RedisCounters(servers.stream()
                .<UnaryOperator<String>>map(server -> section -> String.valueOf(server.command("INFO", section)))
                .toList());
    }

    @Override
    public double commands() {
        return sum(info("commandstats")
                .filter(line -> line.startsWith(COMMAND) && !line.startsWith(OWN))
                .map(RedisCounters::calls)
                .toList());
    }

    /** A line such as {@code cmdstat_get:calls=21,usec=175,...}. */
    private static double calls(String line) {
        int from = line.indexOf(CALLS) + CALLS.length();
        return Double.parseDouble(line.substring(from, line.indexOf(',', from)));
    }

    @Override
    public double cpuNanos() {
        return TimeUnit.SECONDS.toNanos(1)
                * sum(info("cpu")
                        .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                        .map(RedisCounters::value)
                        .toList());
    }

    @Override
    public double bytes() {
        return sum(info("memory")
                .filter(line -> line.startsWith(MEMORY))
                .map(RedisCounters::value)
                .toList());
    }

    /** An answer is not counted before it is sent. */
    @Override
    public double trafficBytes() {
        long before = ownBytes.get();
        return sum(info("stats")
                        .filter(line ->
                                line.startsWith("total_net_input_bytes:") || line.startsWith("total_net_output_bytes:"))
                        .map(RedisCounters::value)
                        .toList())
                - before;
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.indexOf(':') + 1));
    }

    /** NaN, not zero, if the servers gave no count. */
    private static double sum(List<Double> counts) {
        return counts.isEmpty()
                ? Double.NaN
                : counts.stream().mapToDouble(Double::doubleValue).sum();
    }

    private Stream<String> info(String section) {
        return servers.stream().flatMap(server -> {
            String answer = server.apply(section);
            ownBytes.addAndGet(answer.length());
            return answer.lines();
        });
    }
}
