package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hasp.spi.Credentials;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The configuration of a Redlock: its URI, its defaults and the values that it refuses. */
class RedlockConfigTest {

    @Test
    void nodes_without_ports_and_parameters_have_the_defaults_of_the_table() {
        RedlockConfig config = RedlockConfig.of(URI.create("redlock://c,a,b"));
        assertThat(config.nodes().stream().map(RedisConfig::server))
                .containsExactly("redis://a:6379", "redis://b:6379", "redis://c:6379");
        assertThat(config.nodeTimeout()).isEqualTo(Duration.ofMillis(200));
        assertThat(config.keyPrefix()).isEqualTo("hasp");
    }

    @Test
    void every_part_of_the_uri_is_read() {
        RedlockConfig config = RedlockConfig.of(URI.create(
                "redlock://al%40ice:p%3Aw@10.0.0.1:7000,g:7001,h:7002/5?keyPrefix=app:locks&nodeTimeout=50ms"));
        assertThat(config.nodes()).hasSize(3).allSatisfy(node -> {
            assertThat(node.credentials()).contains(new Credentials("al@ice", "p:w"));
            assertThat(node.database()).isEqualTo(5);
            assertThat(node.locks().keyPrefix()).isEqualTo("app:locks");
            assertThat(node.commandTimeout()).isEqualTo(Duration.ofMillis(50));
        });
        assertThat(config.nodes().stream().map(RedisConfig::server))
                .containsExactlyInAnyOrder("redis://10.0.0.1:7000/5", "redis://g:7001/5", "redis://h:7002/5");
        assertThat(config.toString()).contains("10.0.0.1").doesNotContain("p:w");
    }

    @Test
    void a_value_that_breaks_a_rule_is_named_with_the_rule() {
        Map<String, String> wrong = Map.ofEntries(
                Map.entry("redlock://a", "there are 1 nodes (a:6379): Redlock takes an odd number of at least 3"),
                Map.entry("redlock://a,b", "there are 2 nodes"),
                Map.entry("redlock://a,b,c,d", "there are 4 nodes"),
                Map.entry("redlock://a,b,A:6379", "node a:6379 is given 2 times: every node has one vote"),
                Map.entry("redlock://a,b,", "node ''"),
                Map.entry("redlock://a,b,c:99999", "99999"),
                Map.entry("redlock://a,b,c:x", "node 'c:x'"),
                Map.entry("redlock:a", "names no nodes"),
                Map.entry("redlock://a,b,c?nodeTimeout=1ms", "nodeTimeout is PT0.001S: it must be from 10 ms to 10 s"),
                Map.entry("redlock://a,b,c?nodeTimeout=11s", "nodeTimeout is PT11S"),
                Map.entry(
                        "redlock://a,b,c?commandTimeout=1s",
                        "known are [connect, eviction, keep, keyPrefix, label, maxHold, nodeTimeout, onLoss, ordering,"),
                Map.entry("redlock://a,b,c?acknowledge=1", "URI parameter 'acknowledge' is unknown"),
                Map.entry("redlock://a,b,c?keyPrefix=a%7Bb", "keyPrefix"),
                Map.entry("redlock://u@a,b,c", "password"),
                Map.entry(
                        "redlock://a,b,c?eviction=accepted",
                        "node a:6379 has eviction=accepted, which Redlock does not offer"),
                Map.entry("redlock://a,b,c/x", "/x"),
                Map.entry("redlock://a,b,c#x", "fragment"));
        wrong.forEach((uri, named) -> assertThatIllegalArgumentException()
                .as(uri)
                .isThrownBy(() -> RedlockConfig.of(URI.create(uri)))
                .withMessageContaining(named));
    }

    @Test
    void nodes_that_differ_in_what_all_share_are_refused() {
        RedisConfig plain = RedisConfig.of("a", 6379);
        RedisConfig prefixed = RedisConfig.of(URI.create("redis://b?keyPrefix=other"));
        RedisConfig last = RedisConfig.of("c", 6379);
        RedisConfig sentinels = RedisConfig.of(SentinelConfig.of("m", "b"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedlockConfig(List.of(plain, sentinels, last), Duration.ofMillis(200)))
                .withMessageContaining("a node is named by sentinels");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedlockConfig(
                        List.of(
                                plain,
                                RedisConfig.of("b", 6379)
                                        .locks(RedisLocks.defaults().acknowledge(1)),
                                last),
                        Duration.ofMillis(200)))
                .withMessageContaining("node b:6379 has acknowledge, which Redlock does not offer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RedlockConfig(List.of(plain, prefixed, last), Duration.ofMillis(200)))
                .withMessageContaining("several key prefixes");
    }
}
