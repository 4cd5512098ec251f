package io.hasp.redis.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;

/** A connection that gives prepared answers in turn. Without one it breaks as if there were no memory. */
final class StubConnection implements RedisConnection {
    final Queue<CompletionStage<String>> answers = new ArrayDeque<>();

    @Override
    public CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        CompletionStage<String> answer = answers.poll();
        if (answer == null) {
            throw new OutOfMemoryError("injected");
        }
        return answer;
    }

    @Override
    public Subscription subscribe(String channel, ChannelListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Acknowledging acknowledging(int replicas, Duration within) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reconnect() {}

    @Override
    public Duration resendsWithin() {
        return Duration.ZERO;
    }

    @Override
    public Duration commandTimeout() {
        return Duration.ofSeconds(5);
    }

    @Override
    public String server() {
        return "the server";
    }

    @Override
    public void close() {}
}
