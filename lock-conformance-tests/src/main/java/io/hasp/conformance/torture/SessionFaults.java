package io.hasp.conformance.torture;

import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.Server;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Faults that a lock notices only if it lives in a session. */
final class SessionFaults {
    private static final int MOST_ANSWERED_MILLIS = 60;
    private static final int ONE_IN = 3;

    private SessionFaults() {}

    /**
     * Creates a fault in which the clients' traffic is held in the proxy and then released all at once; a moment later
     * the server stops.
     *
     * @param name the server's name
     * @param proxy the proxy in front of the server
     * @param server the server
     * @param stall how long the traffic is held
     * @return the fault
     */
    static Fault stalledThenPaused(String name, FaultProxy proxy, Server server, Duration stall) {
        return new Fault() {
            @Override
            public String name() {
                return name + " held, released and paused";
            }

            @Override
            public void inject(TortureClients clients, long choice) throws InterruptedException {
                proxy.set(Direction.REQUESTS, TrafficPolicy.HOLD);
                TimeUnit.NANOSECONDS.sleep(stall.toNanos());
                proxy.set(Direction.REQUESTS, TrafficPolicy.PASS);
                TimeUnit.MILLISECONDS.sleep(Long.remainderUnsigned(choice, MOST_ANSWERED_MILLIS));
                server.pause();
            }

            @Override
            public void heal(TortureClients clients) {
                proxy.heal();
                server.resume();
            }
        };
    }

    /**
     * A server is killed and comes back, mostly with a changed configuration, otherwise with the one it was started with.
     *
     * @param name the server's name
     * @param server the server
     * @param change a line of its configuration
     * @return the fault
     */
    static Fault reconfigured(String name, ZooKeeperServer server, String change) {
        return new Fault() {
            private boolean changed;

            @Override
            public String name() {
                return name + " killed and configured anew";
            }

            @Override
            public void inject(TortureClients clients, long choice) {
                changed = Long.remainderUnsigned(choice, ONE_IN) > 0;
                server.kill();
            }

            @Override
            public void heal(TortureClients clients) {
                if (changed) {
                    server.restartWith(change);
                } else {
                    server.restartWith();
                }
            }
        };
    }
}
