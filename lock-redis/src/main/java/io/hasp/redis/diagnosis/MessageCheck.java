package io.hasp.redis.diagnosis;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection;
import io.hasp.spi.BackendFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Listens to a channel of its own, and checks that a message from a script arrives there. Used by one thread at a time. */
final class MessageCheck {
    private static final String CHECK = "messages";
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final Semaphore arrived = new Semaphore(0);
    private final RedisConnection connection;
    private final String channel;
    /** Empty if there is none; null before the subscription. */
    private @Nullable String refusal;

    /** Does not subscribe yet. */
    MessageCheck(RedisConnection connection, String channel) {
        this.connection = connection;
        this.channel = channel;
    }

    /** Subscribes, if that is permitted and not done yet. Returns the channel. */
    String subscribed() {
        if (refusal == null) {
            refusal = subscribe();
        }
        return channel;
    }

    private String subscribe() {
        try {
            connection.subscribe(channel, new ChannelListener(message -> arrived.release(), () -> {}, () -> {}));
            return "";
        } catch (ErrorReplyException | BackendFailure e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Judges by a message that was published since. */
    void run(ServerFacts facts, Findings findings) {
        Optional<String> published = Optional.ofNullable(facts.refusals().get("publish"))
                .or(() -> Optional.ofNullable(facts.refusals().get("pubsub")));
        Optional<String> why =
                Optional.ofNullable(refusal).filter(error -> !error.isEmpty()).or(() -> published);
        if (why.isEmpty() && arrives()) {
            findings.ok(CHECK, "a published message arrives");
            return;
        }
        findings.warn(
                CHECK,
                why.map(error -> "refused: " + error).orElse("a published message did not arrive within " + LONGEST)
                        + "; waiters poll every half second, and no lock is kept. Permit publish, pubsub and subscribe, and"
                        + " the channels of the key prefix");
    }

    private boolean arrives() {
        boolean interrupted = Thread.interrupted();
        long end = System.nanoTime() + LONGEST.toNanos();
        try {
            while (true) {
                try {
                    return arrived.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
