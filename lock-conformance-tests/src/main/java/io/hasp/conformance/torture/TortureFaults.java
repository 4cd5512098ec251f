package io.hasp.conformance.torture;

import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The faults of a torture. The caller selects those that its lock should survive. */
public final class TortureFaults {
    private static final int MOST_DELAY_MILLIS = 200;
    private static final int LONGEST_IDLE_SECONDS = 3;
    private static final List<ConnectionEnd> CUTS =
            List.of(ConnectionEnd.FIN, ConnectionEnd.RST, ConnectionEnd.HALF_OPEN);

    private TortureFaults() {}

    /** Something that can fail. */
    @FunctionalInterface
    private interface Action {
        void run(long choice) throws Exception;
    }

    private record Simple(String name, Action breaking, Action mending) implements Fault {
        @Override
        public void inject(TortureClients clients, long choice) throws Exception {
            breaking.run(choice);
        }

        @Override
        public void heal(TortureClients clients) throws Exception {
            mending.run(0);
        }
    }

    /**
     * Servers stand still (SIGSTOP).
     *
     * @param name the servers' name
     * @param servers one or several
     * @return the fault
     */
    public static Fault paused(String name, Server... servers) {
        List<Server> all = List.of(servers);
        return new Simple(
                name + " paused", choice -> all.forEach(Server::pause), choice -> all.forEach(Server::resume));
    }

    /**
     * Servers are killed, and started again with the data they had saved.
     *
     * @param name the servers' name
     * @param servers one or several
     * @return the fault
     */
    public static Fault restarted(String name, Server... servers) {
        List<Server> all = List.of(servers);
        return new Simple(
                name + " killed",
                choice -> all.forEach(Server::kill),
                choice -> all.stream().filter(server -> !server.running()).forEach(Server::restart));
    }

    /**
     * A server is killed and comes back without its data, but not before all that it had granted is over.
     *
     * @param name the server's name
     * @param server the server
     * @param away how long it stays away at least
     * @return the fault
     */
    public static Fault emptied(String name, Server server, Duration away) {
        return new Fault() {
            private long killedAt;

            @Override
            public String name() {
                return name + " emptied";
            }

            @Override
            public void inject(TortureClients clients, long choice) {
                server.kill();
                killedAt = System.nanoTime();
            }

            @Override
            public void heal(TortureClients clients) throws InterruptedException {
                if (!server.running()) {
                    // The rule for operators is to wait for this time, without any further condition.
                    TimeUnit.NANOSECONDS.sleep(killedAt + away.toNanos() - System.nanoTime());
                    server.restartWithoutData();
                }
            }
        };
    }

    /**
     * Bytes wait in the proxy, in one direction or both.
     *
     * @param name what the proxy stands before
     * @param proxy the proxy
     * @return the fault
     */
    public static Fault held(String name, FaultProxy proxy) {
        return flowing(name + " held", proxy, TrafficPolicy.HOLD);
    }

    /**
     * Requests vanish, or replies of requests that were applied, or both.
     *
     * @param name what the proxy stands before
     * @param proxy the proxy
     * @return the fault
     */
    public static Fault dropped(String name, FaultProxy proxy) {
        return flowing(name + " unheard", proxy, TrafficPolicy.DROP);
    }

    private static Fault flowing(String name, FaultProxy proxy, TrafficPolicy flow) {
        return new Simple(
                name,
                choice -> {
                    switch ((int) Long.remainderUnsigned(choice, 3)) {
                        case 0 -> proxy.set(Direction.REQUESTS, flow);
                        case 1 -> proxy.set(Direction.REPLIES, flow);
                        default -> proxy.set(flow);
                    }
                },
                choice -> proxy.heal());
    }

    /**
     * Creates a fault in which servers close connections that are idle for one to three seconds. It excuses no failure.
     *
     * @param name the servers' name
     * @param servers one or several
     * @return the fault
     */
    public static Fault closingIdle(String name, RedisServer... servers) {
        List<RedisServer> all = List.of(servers);
        return new Fault() {
            @Override
            public String name() {
                return name + " closing idle connections";
            }

            @Override
            public boolean outage() {
                return false;
            }

            @Override
            public void inject(TortureClients clients, long choice) {
                closeAfter(1 + (int) Long.remainderUnsigned(choice, LONGEST_IDLE_SECONDS));
            }

            @Override
            public void heal(TortureClients clients) {
                closeAfter(0);
            }

            private void closeAfter(int seconds) {
                all.forEach(server -> server.command("CONFIG", "SET", "timeout", Integer.toString(seconds)));
            }
        };
    }

    /**
     * Errors of heap and stack come at random in every client process, whose factory {@link
     * io.hasp.conformance.processes.ErrorInjector}. An error ends its client, so a new client follows each when the errors end.
     * All sockets of the former clients have to come back.
     *
     * @return the fault
     */
    public static Fault clientErrors() {
        return new Fault() {
            @Override
            public String name() {
                return "errors in the clients";
            }

            @Override
            public void inject(TortureClients clients, long choice) throws Exception {
                for (int place = 0; place < clients.count(); place++) {
                    clients.process(place).throwErrors(choice + place);
                }
            }

            @Override
            public void heal(TortureClients clients) throws Exception {
                for (int place = 0; place < clients.count(); place++) {
                    clients.process(place).stopErrors();
                    // An error has ended the former one.
                    clients.replace(place);
                }
            }
        };
    }

    /**
     * The same in one client process of several, such as a thread of its application that blocks.
     *
     * @param name what its errors are
     * @return the fault
     */
    public static Fault clientErrors(String name) {
        return new Fault() {
            private @Nullable ClientJvm spoilt;

            @Override
            public String name() {
                return name;
            }

            @Override
            public void inject(TortureClients clients, long choice) throws Exception {
                spoilt = clients.process(choice);
                spoilt.throwErrors(choice);
            }

            @Override
            public void heal(TortureClients clients) throws Exception {
                if (spoilt != null) {
                    spoilt.stopErrors();
                    spoilt = null;
                }
            }
        };
    }

    /**
     * Bytes are late, by up to 200 ms.
     *
     * @param name what the proxy stands before
     * @param proxy the proxy
     * @return the fault
     */
    public static Fault delayed(String name, FaultProxy proxy) {
        return new Simple(
                name + " slow",
                choice -> proxy.set(TrafficPolicy.delayed(
                        Duration.ofMillis(1 + Long.remainderUnsigned(choice, MOST_DELAY_MILLIS)))),
                choice -> proxy.heal());
    }

    /**
     * All connections end at once, and no new one is let in for a while.
     *
     * @param name what the proxy stands before
     * @param proxy the proxy
     * @return the fault
     */
    public static Fault cut(String name, FaultProxy proxy) {
        return new Simple(
                name + " cut off",
                choice -> {
                    proxy.refuse();
                    proxy.cut(CUTS.get((int) Long.remainderUnsigned(choice, CUTS.size())));
                },
                choice -> proxy.heal());
    }

    /**
     * A client process stands still (SIGSTOP).
     *
     * @return the fault
     */
    public static Fault clientPaused() {
        return new Fault() {
            private @Nullable ClientJvm paused;

            @Override
            public String name() {
                return "a client paused";
            }

            @Override
            public void inject(TortureClients clients, long choice) {
                paused = clients.process(choice);
                paused.pause();
            }

            @Override
            public void heal(TortureClients clients) {
                if (paused != null) {
                    paused.resume();
                    paused = null;
                }
            }
        };
    }

    /**
     * A client process is killed; later a new one takes its place.
     *
     * @return the fault
     */
    public static Fault clientKilled() {
        return new Fault() {
            private @Nullable Integer empty;

            @Override
            public String name() {
                return "a client killed";
            }

            @Override
            public boolean outage() {
                return false;
            }

            @Override
            public void inject(TortureClients clients, long choice) {
                clients.process(choice).kill();
                empty = clients.place(choice);
            }

            @Override
            public void heal(TortureClients clients) throws Exception {
                if (empty != null) {
                    clients.replace(empty);
                    empty = null;
                }
            }
        };
    }
}
