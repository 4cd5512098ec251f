package io.hasp.redis;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.redis.server.ServerCheck;
import java.util.Optional;

/**
 * A connection whose servers were checked.
 *
 * @param channel of the client's messages; empty if it polls
 * @param check with the servers' answers
 * @param acknowledgement the replicas that have to receive a grant; empty for none
 */
record CheckedConnection(
        RedisConnection connection,
        ScriptRunner scripts,
        LockKeys keys,
        String channel,
        ServerCheck check,
        Optional<Acknowledgement> acknowledgement) {}
