package io.hasp.evaluation.subject;

import io.hasp.conformance.servers.ZooKeeperEnsemble;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.evaluation.measure.ServerCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the servers of an ensemble count: the packets that clients sent to each of them, pings included. What they say to
 * each other is not in it.
 */
final class ZooKeeperCounters implements ServerCounters {
    private static final String PACKETS = "zk_packets_received";

    private final ZooKeeperEnsemble ensemble;
    private final AtomicLong asked = new AtomicLong();

    ZooKeeperCounters(ZooKeeperEnsemble ensemble) {
        this.ensemble = ensemble;
    }

    @Override
    public long commands() {
        return ensemble.servers().stream().mapToLong(this::packets).sum() - asked.get();
    }

    /** Each question is a packet, too, and counted before it is answered. */
    private long packets(ZooKeeperServer server) {
        asked.incrementAndGet();
        try {
            return server.ask("mntr")
                    .lines()
                    .filter(line -> line.startsWith(PACKETS))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(PACKETS.length()).strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("a ZooKeeper server does not tell its packets"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the operating system counts it; a server has nothing better to offer. */
    @Override
    public long cpuNanos() {
        return ensemble.servers().stream()
                .map(server -> ProcessHandle.of(server.pid())
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElse(Duration.ZERO))
                .mapToLong(Duration::toNanos)
                .sum();
    }
}
