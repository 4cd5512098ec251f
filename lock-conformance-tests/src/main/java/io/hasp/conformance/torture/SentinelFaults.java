package io.hasp.conformance.torture;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.SentinelServers;
import java.util.List;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Failovers of Redis servers with sentinels. The former master is a replica again before the next fault. */
final class SentinelFaults {
    private static final Logger LOG = Logger.getLogger(SentinelFaults.class.getName());

    private SentinelFaults() {}

    static List<Fault> of(SentinelServers servers) {
        return List.of(
                new Failover("master killed", servers) {
                    @Override
                    void begin(RedisServer master) {
                        master.kill();
                    }

                    @Override
                    void end(RedisServer master) {
                        master.restart();
                    }
                },
                new Failover("master paused", servers) {
                    @Override
                    void begin(RedisServer master) {
                        master.pause();
                    }

                    @Override
                    void end(RedisServer master) {
                        master.resume();
                    }
                },
                TortureFaults.paused("a sentinel", servers.sentinels().get(0)));
    }

    private abstract static class Failover implements Fault {
        private final String name;
        private final SentinelServers servers;
        private @Nullable RedisServer former;

        Failover(String name, SentinelServers servers) {
            this.name = name;
            this.servers = servers;
        }

        abstract void begin(RedisServer master);

        abstract void end(RedisServer master);

        @Override
        public String name() {
            return name;
        }

        @Override
        public void inject(TortureClients clients, long choice) {
            RedisServer master = servers.master();
            former = master;
            begin(master);
            if (!servers.failsOverFrom(master)) {
                LOG.info("no failover from a master that was killed or paused: for the clients it is an outage");
            }
        }

        @Override
        public void heal(TortureClients clients) {
            RedisServer master = former;
            if (master != null) {
                former = null;
                end(master);
                servers.awaitSettled();
            }
        }
    }
}
