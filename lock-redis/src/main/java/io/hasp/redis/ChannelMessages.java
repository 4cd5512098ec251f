package io.hasp.redis;

import io.hasp.redis.holder.GrantMessage;
import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.RecallMessage;
import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisConnection.Subscription;
import io.hasp.redis.server.ServerCheck;
import io.hasp.redis.server.ServerReleases;
import io.hasp.spi.LogQueue;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Passes the messages of a client's channel to its holders. Thread-safe.
 *
 * @param executor sends the releases that a late message needs
 */
record ChannelMessages(HolderRegistry holders, ServerReleases releases, Executor executor) {
    /** Of a client that polls: a waiter without a channel polls. */
    static final Subscription NONE = () -> false;

    /** Subscribes to the channel; {@link #NONE} if the channel is empty or the server takes no messages, which is logged. */
    Subscription subscribe(RedisConnection connection, String channel, ServerCheck check) {
        if (channel.isEmpty()) {
            return NONE;
        }
        if (check.refusalOfMessages().isEmpty()) {
            try {
                return connection.subscribe(
                        channel,
                        new ChannelListener(this::received, this::messagesMayBeMissing, this::messagesMayBeMissing));
            } catch (ErrorReplyException e) {
                check.messagesRefused(e);
            }
        }
        LogQueue.log(
                System.Logger.Level.WARNING,
                connection.server() + " takes no messages (" + check.refusalOfMessages()
                        + "): waiters ask every half second, and no lock is kept; Notification.POLL says that this is meant");
        return NONE;
    }

    /**
     * A direct grant to a holder of this client, or a recall of its lock. If the holder was released already (one of its requests arrived
     * late), the lock would stay unused, so it is released at once.
     */
    private void received(String message) {
        Optional<RecallMessage> recall = RecallMessage.parse(message);
        if (recall.isPresent()) {
            recall.filter(wanted -> !holders.recall(wanted))
                    .ifPresent(late -> executor.execute(() -> releases.giveBackExclusive(late.lock(), late.holder())));
        } else {
            GrantMessage.parse(message)
                    .filter(grant -> !holders.wake(grant))
                    .ifPresent(late -> executor.execute(() -> releases.giveBack(late.lock(), late.holder())));
        }
    }

    /** Also when the channel is cut off: the waiters then ask often, because no message wakes them. */
    private void messagesMayBeMissing() {
        holders.recallAll();
        holders.wakeAll();
    }
}
