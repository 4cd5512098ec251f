package io.hasp.redis.jedis;

import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.RedisConnection.Command;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** {@code EVAL} and {@code EVALSHA} as Jedis writes them. */
final class EvalCommand {
    private EvalCommand() {}

    static CommandArguments byDigest(ScriptCall call) {
        return of(Command.EVALSHA, call.script().sha(), call.keys(), call.arguments());
    }

    /** For a server that does not know the digest: it restarted, or its scripts were flushed. */
    static CommandArguments byText(ScriptCall call) {
        return of(Command.EVAL, call.script().text(), call.keys(), call.arguments());
    }

    /** A script is named by its digest or text. */
    static CommandArguments of(Command command, String script, List<String> keys, List<String> arguments) {
        CommandArguments request = new CommandArguments(
                        command == Command.EVALSHA ? Protocol.Command.EVALSHA : Protocol.Command.EVAL)
                .add(script)
                .add(keys.size());
        keys.forEach(request::add);
        arguments.forEach(request::add);
        return request;
    }
}
