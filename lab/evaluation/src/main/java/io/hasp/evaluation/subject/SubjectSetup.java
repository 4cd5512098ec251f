package io.hasp.evaluation.subject;

import io.hasp.ClientOptions;
import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.servers.ClientProfile;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Sets up each lock for an environment. */
final class SubjectSetup {
    /** A third of the lease, the most that is allowed. */
    private static final int LEASE_TO_KEEP = 3;

    private static final Duration LEASE_IF_KEPT = Duration.ofSeconds(9);

    private SubjectSetup() {}

    /** Hasp as its users have it: with default options, which are not the short leases of the suite. */
    static HaspSubject hasp(String name, Environment in, String uri, String... parameters) {
        String whole = haspUri(in, uri, parameters);
        HaspSubject hasp = new HaspSubject(name, options -> LockClient.connect(whole));
        return in.redlock().equals(uri) ? hasp : hasp.sharing();
    }

    /** On an application's Redisson client. */
    static LockSubject haspOnRedisson(String name, Environment in, ClientOptions options) {
        return new OwnRedisson(
                name,
                in.redisEndpoint(),
                in.profile() == ClientProfile.SHORT ? options.renewedLease(Experiments.LEASE) : options,
                Duration.ZERO,
                in.profile().oneThread());
    }

    static LockSubject spring(RedisLockType mode, Environment in) {
        return new SpringRedis(in.redisEndpoint(), mode, in.profile().lease(SpringRedis.USUAL_EXPIRY));
    }

    static String haspUri(Environment in, String uri, String... parameters) {
        List<String> all = new ArrayList<>(List.of(parameters));
        if (in.profile() == ClientProfile.SHORT) {
            all.add("renewedLease=" + Experiments.LEASE);
            if (uri.startsWith(Service.ZOOKEEPER.scheme())) {
                all.add("sessionTimeout=" + Experiments.SESSION);
                all.add("connectionTimeout=" + Experiments.SESSION);
            }
        }
        String query = String.join("&", all);
        return query.isEmpty() ? uri : uri + (uri.contains("?") ? "&" : "?") + query;
    }

    static String keep(Environment in) {
        return "keep=" + in.profile().lease(LEASE_IF_KEPT).dividedBy(LEASE_TO_KEEP);
    }

    static LockSubject redisson(RedissonLock.Kind kind, Environment in) {
        return new RedissonLock(
                kind, in.redisEndpoint(), watchdog(in), in.profile().oneThread());
    }

    static LockSubject minimalPostgres(Environment in, boolean durable) {
        return new MinimalPostgresLock(in.postgres(), in.profile().lease(MinimalPostgresLock.USUAL_LEASE), durable);
    }

    static LockSubject baseline(MinimalLibraryLock.Library library, Environment in) {
        return new MinimalLibraryLock(
                library,
                in.redisEndpoint(),
                in.profile().lease(MinimalRedisLock.USUAL_LEASE),
                in.profile().oneThread());
    }

    static Duration watchdog(Environment in) {
        return in.profile().lease(RedissonLock.USUAL_WATCHDOG);
    }

    static LockSubject curator(CuratorMutex.Kind kind, Environment in) {
        return new CuratorMutex(in.zookeeper(), kind, in.profile().session(CuratorMutex.USUAL_SESSION));
    }
}
