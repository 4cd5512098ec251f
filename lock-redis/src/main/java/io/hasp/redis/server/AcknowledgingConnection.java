package io.hasp.redis.server;

import io.hasp.redis.server.RedisConnection.Command;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A connection on which a script waits for replicas, so that no other command waits behind it: the server reads nothing more from it until
 * then. One call at a time.
 */
public interface AcknowledgingConnection {

    /**
     * What came of it.
     *
     * @param reply of the script
     * @param replicas how many have received all that it has written
     */
    record Acknowledged(String reply, long replicas) {}

    /**
     * Runs a script, and waits behind it ({@code WAIT}) for replicas. The stage fails as those of {@link RedisConnection#evaluate} do;
     * after a failure, the next call takes another socket.
     */
    CompletionStage<Acknowledged> evaluate(
            Command command, String script, List<String> keys, List<String> arguments, int replicas, Duration within);
}
