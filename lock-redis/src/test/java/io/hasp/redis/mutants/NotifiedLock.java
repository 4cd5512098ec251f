package io.hasp.redis.mutants;

import io.hasp.conformance.Timings;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;

/**
 * The tutorial lock with a release that is published, so that waiters need not ask all the time. A release wakes all of
 * them, and a broken subscription is made again.
 */
abstract class NotifiedLock extends TutorialLock {
    NotifiedLock(int port) {
        super(port);
    }

    /** After what time a waiter asks that has heard nothing. */
    abstract Duration poll();

    @Override
    boolean giveBack(RespConnection redis, String key, String value) throws IOException {
        boolean held = super.giveBack(redis, key, value);
        redis.integer("PUBLISH", key, "released");
        return held;
    }

    /** Subscribes, asks once more for a release that came before, and listens. */
    @Override
    final boolean await(Attempt attempt, String key, Duration left) throws Exception {
        long end = System.nanoTime() + left.toNanos();
        RespConnection news = subscribe(key);
        try {
            boolean taken = attempt.run();
            while (!taken && System.nanoTime() - end < 0) {
                try {
                    news.timeout(shorter(poll(), Duration.ofNanos(end - System.nanoTime())));
                    news.receive();
                    taken = attempt.run();
                } catch (SocketTimeoutException e) {
                    news = subscribe(key);
                    taken = attempt.run();
                } catch (IOException e) {
                    // Client libraries take their time before they connect again.
                    Thread.sleep(Timings.units(0.5).toMillis());
                    news = subscribe(key);
                }
            }
            return taken;
        } finally {
            news.close();
        }
    }

    /** Subscribes, and again after a cut, as client libraries do. */
    private RespConnection subscribe(String key) throws IOException {
        RespConnection news = connect();
        try {
            news.command("SUBSCRIBE", key);
            return news;
        } catch (EOFException e) {
            news.close();
            return subscribe(key);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return Duration.ofMillis(1 + Math.min(one.toMillis(), Math.max(0, other.toMillis())));
    }

    /** The number of clients that hold the lock or listen for its release. */
    static int present(RedisServer server, String lock) throws IOException {
        try (RespConnection admin = server.connect()) {
            List<?> listening = (List<?>) admin.command("PUBSUB", "NUMSUB", key(lock));
            long listeners = listening == null ? 0 : (Long) listening.get(1);
            return Math.toIntExact(admin.integer("EXISTS", key(lock)) + listeners);
        }
    }
}
