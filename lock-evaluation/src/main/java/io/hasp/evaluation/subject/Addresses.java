package io.hasp.evaluation.subject;

/**
 * Where the servers are. What a comparison does not need is empty.
 *
 * @param redis such as {@code redis://127.0.0.1:6379}
 * @param redlock such as {@code 127.0.0.1:6379,127.0.0.1:6380,127.0.0.1:6381}
 * @param zookeeper such as {@code 127.0.0.1:2181,127.0.0.1:2182}
 */
public record Addresses(String redis, String redlock, String zookeeper) {}
