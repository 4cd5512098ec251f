package io.hasp.redis.server;

import java.util.function.Consumer;

/**
 * Callbacks of a channel's subscriber.
 *
 * @param onMessage receives each message
 * @param onInterruption runs when the channel is cut off; {@link RedisConnection.Subscription#live} is false by then. A library that does
 *     not notice a cut calls it when the channel is back
 * @param onReturn runs when the channel is back after a cut, so that messages may be missing
 */
public record ChannelListener(Consumer<String> onMessage, Runnable onInterruption, Runnable onReturn) {}
