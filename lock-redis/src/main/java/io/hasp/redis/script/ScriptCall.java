package io.hasp.redis.script;

import java.util.List;

/** One run of a script, to be sent to any number of servers. */
public record ScriptCall(LuaScript script, List<String> keys, List<String> arguments) {}
