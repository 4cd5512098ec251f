package io.hasp.redis.jedis;

import io.hasp.redis.server.RedisEndpoint;
import io.hasp.redis.server.RedisEndpoint.SentinelGroup;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.SafeEncoder;

/** Asks sentinels if they could replace the master. */
public final class SentinelQuorum {
    private SentinelQuorum() {}

    /**
     * Asks each sentinel, one after the other.
     *
     * @return by address: {@code OK} and more from a sentinel with a quorum, else an error reply or the reason why there is no answer
     */
    public static Map<String, String> ask(SentinelGroup group) {
        Map<String, String> answers = new LinkedHashMap<>();
        group.sentinels().forEach((address, sentinel) -> answers.put(address, ask(sentinel, group.masterId())));
        return answers;
    }

    private static String ask(RedisEndpoint sentinel, String masterId) {
        try (PollableConnection socket =
                        PollableConnection.to(JedisSockets.of(sentinel), JedisSockets.client(sentinel), Duration.ZERO);
                Jedis jedis = new Jedis(socket)) {
            socket.waitAtMost(sentinel.commandTimeout().toNanos());
            Object reply = jedis.sendCommand(Protocol.Command.SENTINEL, "CKQUORUM", masterId);
            return reply instanceof byte[] bytes ? SafeEncoder.encode(bytes) : String.valueOf(reply);
        } catch (RuntimeException e) {
            return String.valueOf(JedisFailures.notConnected("sentinel " + sentinel.address(), e)
                    .getMessage());
        }
    }
}
