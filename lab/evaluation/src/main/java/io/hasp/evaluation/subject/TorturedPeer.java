package io.hasp.evaluation.subject;

import io.hasp.ClientOptions;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.evaluation.servers.RedisEndpoint;
import java.time.Duration;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * A tortured client process's lock on another library's client: a lock of that library, or Hasp on it. The argument has
 * its label, the milliseconds of silence after which its servers free a lock, and their URI, separated by spaces.
 */
public final class TorturedPeer implements SubjectFactory {
    private static final int PARTS = 3;

    /**
     * Encodes the argument of the factory.
     *
     * @param label of a lock that {@link #subject} supports
     * @param silence lease, watchdog or session timeout
     * @param uri of the servers
     * @return the argument
     */
    public static String argument(String label, Duration silence, String uri) {
        return label + " " + silence.toMillis() + " " + uri;
    }

    @Override
    public LockSubject subject(String argument) {
        String[] parts = argument.split(" ", PARTS);
        Duration silence = Duration.ofMillis(Long.parseLong(parts[1]));
        String uri = parts[2];
        return switch (parts[0]) {
            case "hasp-redis-redisson" -> haspOnRedisson(RedisEndpoint.of(uri), silence);
            case "redisson-rlock" -> new RedissonLock(RedissonLock.Kind.RLOCK, RedisEndpoint.of(uri), silence, false);
            case "redisson-fairlock" ->
                new RedissonLock(RedissonLock.Kind.FAIRLOCK, RedisEndpoint.of(uri), silence, false);
            case "redisson-redlock" -> new RedissonRedlock(uri, silence, false);
            case "spring-redis" -> new SpringRedis(RedisEndpoint.of(uri), RedisLockType.PUB_SUB_LOCK, silence);
            case "curator-mutex" -> new CuratorMutex(uri, CuratorMutex.Kind.SHARED, silence);
            case "curator-mutex-per-thread" -> new CuratorMutex(uri, CuratorMutex.Kind.PER_THREAD, silence);
            case "spring-zookeeper" -> new SpringZooKeeper(uri, silence);
            default -> throw new IllegalArgumentException("no peer is called " + parts[0]);
        };
    }

    private static LockSubject haspOnRedisson(RedisEndpoint endpoint, Duration lease) {
        ClientOptions options = ClientOptions.defaults().renewedLease(lease);
        return new OwnRedisson("hasp", endpoint, options, endpoint.config().commandTimeout(), false);
    }
}
