package io.hasp.redis.server;

import java.util.function.Consumer;

/**
 * Who listens to a channel.
 *
 * @param onMessage a message
 * @param onInterruption the channel is cut off, and {@link RedisConnection.Subscription#live} says so by now. A library that does not
 *     notice this says so when it is back
 * @param onReturn the channel is back after it was cut off, so that messages may be missing
 */
public record ChannelListener(Consumer<String> onMessage, Runnable onInterruption, Runnable onReturn) {}
