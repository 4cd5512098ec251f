package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.support.IsolatedClient;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import java.time.Duration;

/** Runs the rules over one connection to one Redis server. */
interface RedisConformance extends HaspConformance {

    RedisServer server();

    Through library();

    /** True if threads of one client wait their turn, too. */
    default boolean inStrictOrder() {
        return false;
    }

    @Override
    default HaspSubject subject() {
        return subject(server().port());
    }

    private HaspSubject subject(int port) {
        return HaspSubject.at(label(), uri(port), Claimed.FIFO, Claimed.TOKEN_AFTER_DATA_LOSS)
                .sharing();
    }

    private String label() {
        return "hasp-redis-" + connection() + (inStrictOrder() ? "-fifo" : "");
    }

    private String uri(int port) {
        return uri("127.0.0.1:" + port);
    }

    private String uri(String address) {
        return Through.uri("redis://" + address + "?connection=" + connection())
                + (inStrictOrder() ? "&ordering=fifo" : "");
    }

    private String connection() {
        return library().word();
    }

    @Override
    default Faults faults() {
        return new RedisFaults(server(), RedisConformance::key, name -> key(name) + ":q");
    }

    private static String key(String name) {
        return new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX).lock(new LockName(name));
    }

    @Override
    default ClientJvm process(String name) {
        return process(name, "");
    }

    private ClientJvm process(String name, String more) {
        // Several start at once: connecting may take a busy machine longer than a command should.
        return ClientJvm.start(name, HaspSubjectFactory.class, uri(server().port()) + "&commandTimeout=10s" + more);
    }

    @Override
    default CrashableClient crashableKeeper(String name, Duration keep) {
        return process(name, "&keep=" + keep.toMillis() + "ms");
    }

    @Override
    default ProxiedSubject proxied() {
        FaultProxy proxy = FaultProxy.before(server().port());
        Duration lease = Timings.lease().multipliedBy(3);
        return new ProxiedSubject(proxy, subject(proxy.port()).leasing(lease), lease);
    }

    @Override
    default IsolatedClient isolated(String name) {
        return IsolatedClient.of(name, server().port(), HaspSubjectFactory.class, this::uri);
    }
}
