package io.hasp.redis.jedis;

import io.hasp.redis.script.ScriptCall;
import io.hasp.redis.server.RedisConnection.Command;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.args.Rawable;

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
                .add(text(script))
                .add(keys.size());
        // No iterators: this runs twice for each cycle of a lock.
        for (int i = 0; i < keys.size(); i++) {
            request.add(text(keys.get(i)));
        }
        for (int i = 0; i < arguments.size(); i++) {
            request.add(text(arguments.get(i)));
        }
        return request;
    }

    private static Rawable text(String text) {
        return new Encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A text that Jedis writes as it is. Jedis' own class copies the bytes once more. */
    private static final class Encoded implements Rawable {
        private final byte[] bytes;

        Encoded(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public byte[] getRaw() {
            return bytes;
        }
    }
}
