package io.hasp.redis.server;

import java.util.Map;

/**
 * The sentinels that know where a master is, for the client libraries.
 *
 * @param masterId the name by which they know it
 * @param sentinels each by its address in words
 */
public record SentinelEndpoint(String masterId, Map<String, RedisEndpoint> sentinels) {}
