package io.hasp.redis;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.config.Config;

/** Hasp in a client process by a URI, or on an application's own client: {@code own-lettuce:} or {@code own-redisson:} and the address. */
public final class HalfOpenSubjects implements SubjectFactory {
    /** Long enough for a renewal that is unanswered to be repeated. */
    static final Duration LEASE = Duration.ofSeconds(10);

    static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    @Override
    public LockSubject subject(String argument) {
        String address = argument.substring(argument.indexOf(':') + 1);
        HaspSubject subject;
        if (argument.startsWith("own-lettuce:")) {
            RedisURI uri = RedisURI.create("redis://" + address);
            uri.setTimeout(COMMAND_TIMEOUT);
            RedisClient lettuce = RedisClient.create();
            subject = new HaspSubject(
                    "hasp",
                    options -> HalfOpenTorture.opened(
                            () -> LockClient.over(RedisBackend.onLettuce(lettuce, uri), options)));
        } else if (argument.startsWith("own-redisson:")) {
            Config config = new Config();
            config.useSingleServer()
                    .setAddress("redis://" + address)
                    .setTimeout(Math.toIntExact(COMMAND_TIMEOUT.toMillis()));
            subject = new HaspSubject(
                    "hasp",
                    options -> HalfOpenTorture.opened(
                            () -> LockClient.over(RedisBackend.onRedisson(Redisson.create(config)), options)));
        } else {
            subject = new HaspSubject(
                    "hasp", options -> HalfOpenTorture.opened(() -> LockClient.connect(URI.create(argument), options)));
        }
        return subject.leasing(LEASE);
    }
}
