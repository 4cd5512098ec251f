package io.hasp.redis;

import io.hasp.redis.diagnosis.ServiceDemands;
import io.hasp.redis.diagnosis.ServiceDiagnosis;
import io.hasp.redis.jedis.SentinelQuorum;
import io.hasp.redis.redlock.Quorum;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.server.RedisConnection;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Finding;
import java.util.List;
import java.util.concurrent.CompletionException;

/** Checks the service of a configuration for an operator. */
final class Diagnoses {
    private static final String REDIS = "guarantees/redis.md";
    private static final String REDLOCK = "guarantees/redlock.md";

    private Diagnoses() {}

    static List<Finding> of(RedisConfig config, BackendContext context) {
        RedisLocks locks = config.locks();
        ServiceDemands demands = new ServiceDemands(
                locks.eviction() == Eviction.ACCEPTED,
                locks.acknowledgement().map(Acknowledgement::replicas).orElse(0),
                !config.nodes().isEmpty(),
                false);
        ServiceDiagnosis diagnosis = new ServiceDiagnosis(keys(config), demands, context, REDIS);
        run(diagnosis, config, context);
        config.endpoint().sentinel().ifPresent(group -> {
            try {
                diagnosis.sentinels(SentinelQuorum.ask(group));
            } catch (LinkageError e) {
                diagnosis.sentinelsUnknown();
            }
        });
        return diagnosis.findings();
    }

    static List<Finding> of(RedlockConfig config, BackendContext context) {
        ServiceDemands demands = new ServiceDemands(false, 0, false, true);
        ServiceDiagnosis diagnosis = new ServiceDiagnosis(keys(config.nodes().get(0)), demands, context, REDLOCK);
        config.nodes().forEach(node -> run(diagnosis, node, context));
        Quorum quorum = Quorum.of(config.nodes().size());
        diagnosis.requireMajority(quorum.nodes(), quorum.majority());
        return diagnosis.findings();
    }

    private static LockKeys keys(RedisConfig config) {
        return new LockKeys(config.locks().keyPrefix());
    }

    private static void run(ServiceDiagnosis diagnosis, RedisConfig config, BackendContext context) {
        try (RedisConnection connection = RedisConnections.open(config, context)) {
            diagnosis.run(connection);
        } catch (LinkageError e) {
            throw config.library().missing(e);
        } catch (BackendFailure | ErrorReplyException | CompletionException e) {
            diagnosis.unreachable(config.server(), e);
        }
    }
}
