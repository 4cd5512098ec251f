package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.evaluation.measure.ProcessorTime;
import io.hasp.evaluation.measure.ServerCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the servers of an ensemble count: the packets that clients sent to each of them, pings included. Packets between
 * the servers are not counted.
 */
final class ZooKeeperCounters implements ServerCounters {
    static final String PACKETS = "zk_packets_received";
    private static final List<String> TRAFFIC = List.of("zk_bytes_received_count", "zk_response_bytes");
    private static final String DATA = "zk_approximate_data_size";

    private final ZooKeeperEnsemble ensemble;
    private final AtomicLong asked = new AtomicLong();

    ZooKeeperCounters(ZooKeeperEnsemble ensemble) {
        this.ensemble = ensemble;
    }

    @Override
    public double commands() {
        double packets = ensemble.servers().stream()
                .mapToDouble(server -> ask(server, PACKETS))
                .sum();
        return packets - asked.get();
    }

    @Override
    public double bytes() {
        return ask(ensemble.servers().get(0), DATA);
    }

    @Override
    public double trafficBytes() {
        return ensemble.servers().stream()
                .flatMap(server -> TRAFFIC.stream().map(what -> ask(server, what)))
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    /** Each query is a packet itself, which the server counts before it replies. */
    private double ask(ZooKeeperServer server, String what) {
        asked.incrementAndGet();
        try {
            return value(server.ask("mntr"), what);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** NaN if it is not there. */
    static double value(String mntr, String what) {
        return mntr.lines()
                .filter(line -> line.startsWith(what))
                .mapToDouble(
                        line -> Double.parseDouble(line.substring(what.length()).strip()))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** As the operating system counts it: ZooKeeper has no such counter. */
    @Override
    public double cpuNanos() {
        return ensemble.servers().stream()
                .mapToLong(server -> ProcessorTime.nanos(server.pid()))
                .sum();
    }
}
