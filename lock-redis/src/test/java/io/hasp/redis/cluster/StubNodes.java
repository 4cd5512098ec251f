package io.hasp.redis.cluster;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.ChannelListener;
import io.hasp.redis.server.NodeConnection;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Nodes that give prepared answers; those without one can't be reached. */
final class StubNodes implements NodeConnection.Connector {
    /** Replies by the node's address; a text that begins with a minus is an error. */
    final Map<Address, String> replies = new HashMap<>();
    /** The addresses of the calls, in their order. */
    final List<String> calls = new ArrayList<>();
    /** Those that are listened to and not closed since. */
    final Set<Address> heard = ConcurrentHashMap.newKeySet();
    /** While a call is being answered. */
    volatile Runnable meanwhile = () -> {};

    @Override
    public NodeConnection connect(String host, int port) {
        return new StubNode(new Address(host, port));
    }

    @Override
    public Duration commandTimeout() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void close() {}

    private final class StubNode implements NodeConnection {
        private final Address address;

        StubNode(Address address) {
            this.address = address;
        }

        private CompletionStage<String> answer(String call) {
            calls.add(call + address);
            meanwhile.run();
            String reply = replies.get(address);
            if (reply == null) {
                return CompletableFuture.failedStage(
                        RedisFailures.unreachable(address.toString(), new ConnectException("Connection refused")));
            }
            return reply.startsWith("-")
                    ? CompletableFuture.failedStage(new ErrorReplyException(reply.substring(1)))
                    : CompletableFuture.completedStage(reply);
        }

        @Override
        public CompletionStage<String> evaluate(
                Command command, String script, List<String> keys, List<String> arguments) {
            return answer("");
        }

        @Override
        public CompletionStage<String> evaluateAsking(
                Command command, String script, List<String> keys, List<String> arguments) {
            return answer("asking ");
        }

        @Override
        public Subscription subscribe(String channel, ChannelListener listener) {
            heard.add(address);
            return () -> true;
        }

        @Override
        public Subscription subscribeLater(String channel, ChannelListener listener) {
            heard.add(address);
            return () -> true;
        }

        @Override
        public Acknowledging acknowledging(int replicas, Duration within) {
            return call -> answer(call.asking() ? "acknowledged asking " : "acknowledged ")
                    .thenApply(reply -> new Acknowledged(reply, replicas));
        }

        @Override
        public void cut() {}

        @Override
        public void reconnect() {}

        @Override
        public Duration resendsWithin() {
            return Duration.ZERO;
        }

        @Override
        public Duration commandTimeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public String server() {
            return address.toString();
        }

        @Override
        public void close() {
            heard.remove(address);
        }
    }
}
