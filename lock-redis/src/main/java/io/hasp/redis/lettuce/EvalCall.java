package io.hasp.redis.lettuce;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hasp.redis.server.RedisConnection.Command;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A script and what it is given, with {@code ASKING} before it or not. As bytes, because Lettuce takes a buffer for each text that it encodes itself. */
record EvalCall(Command command, String script, List<String> keys, List<String> arguments, boolean asking) {
    CompletableFuture<String> on(OrderedConnection connection) {
        CommandArgs<String, String> all =
                new CommandArgs<>(StringCodec.UTF8).add(script.getBytes(UTF_8)).add(keys.size());
        for (String key : keys) {
            all.add(key.getBytes(UTF_8));
        }
        for (String argument : arguments) {
            all.add(argument.getBytes(UTF_8));
        }
        CommandType type = command == Command.EVALSHA ? CommandType.EVALSHA : CommandType.EVAL;
        return asking ? connection.sendAsking(type, all) : connection.send(type, all);
    }
}
