package io.hasp.redis.script;

import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;

/** One run of a script, to be sent to any number of nodes. */
public record ScriptCall(LuaScript script, List<String> keys, List<String> arguments) {

    public CommandArguments byDigest() {
        return command(Protocol.Command.EVALSHA, script.sha());
    }

    /** For a node that does not know the digest: it restarted, or its scripts were flushed. */
    public CommandArguments byText() {
        return command(Protocol.Command.EVAL, script.text());
    }

    private CommandArguments command(Protocol.Command command, String name) {
        CommandArguments request = new CommandArguments(command).add(name).add(keys.size());
        keys.forEach(request::add);
        arguments.forEach(request::add);
        return request;
    }
}
