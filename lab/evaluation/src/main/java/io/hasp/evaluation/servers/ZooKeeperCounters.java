package io.hasp.evaluation.servers;

import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.evaluation.measure.DiskWrites;
import io.hasp.evaluation.measure.ProcessorTime;
import io.hasp.evaluation.measure.ResourceUsage;
import io.hasp.evaluation.measure.ServerCounters;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The counters of an ensemble's servers: the packets that each of them received from clients, including pings. Packets
 * between the servers are not counted.
 */
final class ZooKeeperCounters implements ServerCounters {
    static final String PACKETS = "zk_packets_received";
    private static final List<String> TRAFFIC = List.of("zk_bytes_received_count", "zk_response_bytes");
    private static final String DATA = "zk_approximate_data_size";

    private final ZooKeeperEnsemble ensemble;
    private final ProcessorTime processorTime = new ProcessorTime();
    private final AtomicLong asked = new AtomicLong();

    ZooKeeperCounters(ZooKeeperEnsemble ensemble) {
        this.ensemble = ensemble;
    }

    @Override
    public double commands() {
        return total().commands();
    }

    @Override
    public double trafficBytes() {
        return total().serverBytes();
    }

    @Override
    public ResourceUsage total() {
        double packets = 0;
        double bytes = 0;
        for (ZooKeeperServer server : ensemble.servers()) {
            String answer = ask(server);
            packets += value(answer, PACKETS);
            for (String what : TRAFFIC) {
                bytes += value(answer, what);
            }
        }
        return new ResourceUsage(packets - asked.get(), Double.NaN, cpuNanos(), bytes, diskBytes(), Double.NaN);
    }

    @Override
    public double bytes() {
        return value(ask(ensemble.servers().get(0)), DATA);
    }

    /**
     * Each query is a packet itself, which the server counts before it replies. Empty if it does not reply in time: then the slice is
     * without these figures, and the comparison goes on.
     */
    private String ask(ZooKeeperServer server) {
        asked.incrementAndGet();
        try {
            return server.ask("mntr");
        } catch (IOException e) {
            return "";
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

    @Override
    public double diskBytes() {
        return ensemble.servers().stream()
                .mapToDouble(server -> DiskWrites.bytes(server.pid()))
                .sum();
    }

    /** As the operating system counts it: ZooKeeper has no such counter. */
    @Override
    public double cpuNanos() {
        return ensemble.servers().stream()
                .mapToLong(server -> processorTime.nanos(server.pid()))
                .sum();
    }
}
