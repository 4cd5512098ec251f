package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hasp.redis.RedisConfig.Library;
import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The configuration of a Redis server: its URI, its methods and the values that it refuses. */
class RedisConfigTest {

    @Test
    void a_bare_uri_has_the_defaults_of_the_table() {
        assertThat(RedisConfig.of(URI.create("redis://localhost"))).isEqualTo(RedisConfig.of("localhost", 6379));
    }

    @Test
    void every_part_of_the_uri_is_read() {
        RedisConfig config = RedisConfig.of(URI.create("rediss://al%40ice:p%3Aw+d%25@[::1]:7000/5"
                + "?keyPrefix=app:locks&commandTimeout=750ms&connection=lettuce"));
        assertThat(config.host()).isEqualTo("::1");
        assertThat(config.port()).isEqualTo(7000);
        assertThat(config.database()).isEqualTo(5);
        assertThat(config.credentials()).contains(new Credentials("al@ice", "p:w+d%"));
        assertThat(config.tls()).contains(Tls.defaults());
        assertThat(config.locks().keyPrefix()).isEqualTo("app:locks");
        assertThat(config.commandTimeout()).isEqualTo(Duration.ofMillis(750));
        assertThat(config.connection()).contains(Library.LETTUCE);
        assertThat(config.server()).isEqualTo("rediss://[::1]:7000/5");
    }

    @Test
    void a_program_says_what_differs_from_the_defaults() {
        RedisConfig config = RedisConfig.of("h", 7000)
                .credentials("alice", "secret")
                .database(5)
                .commandTimeout(Duration.ofMillis(750))
                .locks(RedisLocks.defaults().keyPrefix("app").eviction(Eviction.ACCEPTED));
        assertThat(config)
                .isEqualTo(RedisConfig.of(URI.create(
                        "redis://alice:secret@h:7000/5?keyPrefix=app&commandTimeout=750ms&eviction=accepted")));
        assertThat(config.toString()).contains(", user alice,");
        assertThat(config.credentials("", "other").toString()).doesNotContain("user");
        assertThat(RedisConfig.of("h", 6379).tls(Tls.defaults())).isEqualTo(RedisConfig.of(URI.create("rediss://h")));
        assertThat(RedisConfig.of("h", 6379).connection(Library.LETTUCE))
                .isEqualTo(RedisConfig.of(URI.create("redis://h?connection=lettuce")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisLocks.defaults().keyPrefix("a{b"))
                .withMessageContaining("keyPrefix is 'a{b'");
        Path file = Path.of("/etc/hosts");
        RedisConfig encrypted = RedisConfig.of("h", 6379)
                .tls(Tls.defaults().trustStore(file, "sesame").keyStore(file, "sesame"));
        assertThat(encrypted.server()).isEqualTo("rediss://h:6379");
        assertThat(encrypted.tls().toString()).contains("/etc/hosts").doesNotContain("sesame");
        for (Tls wrong : List.of(
                Tls.defaults().trustStore(Path.of("/not/there"), ""),
                Tls.defaults().keyStore(Path.of("/not/there"), ""))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RedisConfig.of("h", 6379).tls(wrong))
                    .withMessageContaining("Store is /not/there: it can't be read");
        }
    }

    @Test
    void some_nodes_of_a_cluster_are_named_in_the_place_of_the_server() {
        RedisConfig config = RedisConfig.of(URI.create("rediss-cluster://alice:p%3Aw@h1,h2:7000?commandTimeout=750ms"));
        assertThat(config.nodes()).containsExactly("h1:6379", "h2:7000");
        assertThat(config.credentials()).contains(new Credentials("alice", "p:w"));
        assertThat(config.tls()).contains(Tls.defaults());
        assertThat(config.server()).isEqualTo("rediss-cluster://h1:6379,h2:7000");
        assertThat(config.toString()).doesNotContain("p:w");
        assertThat(RedisConfig.of(URI.create("redis-cluster://h1,h2"))).isEqualTo(RedisConfig.ofCluster("h1", "h2"));
        assertThat(RedisConfig.of(URI.create("redis-cluster://h1:7"))).isEqualTo(RedisConfig.ofCluster("h1:7"));
        assertThat(RedisConfig.ofCluster("[::1]").database(0).nodeAddresses())
                .extracting(Object::toString)
                .containsExactly("[::1]:6379");
    }

    @Test
    void sentinels_are_named_in_the_place_of_the_server() {
        RedisConfig config = RedisConfig.of(URI.create("rediss-sentinel://alice:p%3Aw@h1,h2:26380/5"
                + "?sentinelMasterId=my-master&sentinelUser=watch&sentinelPassword=s%26&commandTimeout=750ms"));
        assertThat(config)
                .isEqualTo(RedisConfig.of(SentinelConfig.of("my-master", "h1:26379", "h2:26380")
                                .credentials("watch", "s&"))
                        .credentials("alice", "p:w")
                        .database(5)
                        .tls(Tls.defaults())
                        .commandTimeout(Duration.ofMillis(750)));
        assertThat(config.server()).isEqualTo("rediss-sentinel://h1:26379,h2:26380/5?sentinelMasterId=my-master");
        assertThat(config.toString()).doesNotContain("p:w").doesNotContain("s&");
        assertThat(config.sentinel().toString()).contains("watch").doesNotContain("s&");
        assertThat(RedisConfig.of(URI.create("redis-sentinel://h?sentinelMasterId=m&sentinelPassword=s")))
                .isEqualTo(RedisConfig.of(SentinelConfig.of("m", "h").credentials("", "s")));
        assertThat(RedisConfig.of(SentinelConfig.of("m", "[::1]", "[::1]:7")).server())
                .isEqualTo("redis-sentinel://[::1]:26379,[::1]:7?sentinelMasterId=m");
    }

    @Test
    void replicas_may_have_to_acknowledge() {
        RedisConfig config = RedisConfig.of(URI.create("redis://h?acknowledge=2"));
        assertThat(config)
                .isEqualTo(
                        RedisConfig.of("h", 6379).locks(RedisLocks.defaults().acknowledge(2, Duration.ofMillis(50))));
        assertThat(config.database(3).locks().acknowledgement())
                .contains(new Acknowledgement(2, Duration.ofMillis(50)));
        assertThat(config.toString()).contains("acknowledged by 2 within PT0.05S");
        assertThat(RedisConfig.of(URI.create("redis-sentinel://h?sentinelMasterId=m&acknowledge=1"))
                        .locks()
                        .acknowledgement())
                .contains(new Acknowledgement(1, Acknowledgement.DEFAULT_WITHIN));
        assertThat(RedisConfig.of(URI.create("redis-cluster://h?acknowledge=1"))
                        .locks()
                        .acknowledgement())
                .contains(new Acknowledgement(1, Acknowledgement.DEFAULT_WITHIN));
        assertThat(RedisConfig.of("h", 6379).locks().acknowledgement()).isEmpty();
    }

    @Test
    void eviction_is_refused_unless_it_is_accepted() {
        RedisConfig plain = RedisConfig.of("h", 6379);
        RedisConfig accepting = RedisConfig.of(URI.create("redis://h?eviction=accepted"));
        assertThat(plain.locks().eviction()).isEqualTo(Eviction.REFUSED);
        assertThat(accepting.locks().eviction()).isEqualTo(Eviction.ACCEPTED);
        assertThat(accepting.database(3).toString()).contains("eviction accepted");
        assertThat(plain.toString()).doesNotContain("eviction");
        assertThat(RedisConfig.of(URI.create("redis://h?eviction=refused"))).isEqualTo(plain);
    }

    @Test
    void a_password_alone_is_the_default_users() {
        RedisConfig config = RedisConfig.of(URI.create("redis://:secret@localhost"));
        assertThat(config.credentials()).contains(new Credentials("", "secret"));
    }

    @Test
    void the_password_is_never_shown() {
        RedisConfig config = RedisConfig.of(URI.create("redis://alice:secret@localhost"));
        assertThat(config.toString()).contains("alice").doesNotContain("secret");
    }

    @Test
    void an_unknown_contradictory_or_out_of_range_value_is_named() {
        Map<String, String> wrong = Map.ofEntries(
                Map.entry("redis://h?colour=red", "colour"),
                Map.entry("redis://h?keyPrefix=a&keyPrefix=b", "keyPrefix"),
                Map.entry("redis://h?keyPrefix=a%7Bb", "keyPrefix"),
                Map.entry("redis://h?commandTimeout=soon", "commandTimeout"),
                Map.entry("redis://h?commandTimeout=0ms", "commandTimeout"),
                Map.entry("redis://h?connection=letuce", "known are [jedis, lettuce]"),
                Map.entry("redis://h?eviction=yes", "eviction is 'yes': known are [accepted, refused]"),
                Map.entry(
                        "redis://h?connection=redisson",
                        "for Redisson there is RedisBackend.onRedisson(redissonClient)"),
                Map.entry("redis-cluster://h?connection=redisson", "known are [jedis, lettuce]; for Redisson"),
                Map.entry("redis://a:1,b:2", "redlock://a,b,c"),
                Map.entry("rediss://a:1,b:2", "redis-sentinel://a,b,c"),
                Map.entry("redis-sentinel://a,b", "sentinelMasterId is missing"),
                Map.entry("redis-sentinel://a?sentinelMasterId=a%20b", "sentinelMasterId is 'a b'"),
                Map.entry("rediss://a,b,c", "redis-cluster://a,b,c"),
                Map.entry("redis-cluster:///x", "the URI names no nodes of a cluster"),
                Map.entry("redis-cluster://a,a:6379", "node a:6379 is given 2 times"),
                Map.entry("redis-cluster://a,b:x", "node 'b:x' is not an address"),
                Map.entry("redis-cluster://a,b/1", "a cluster has only database 0"),
                Map.entry("redis-cluster://x@a", "a user without a password"),
                Map.entry("redis-cluster://a?sentinelMasterId=m", "sentinelMasterId"),
                Map.entry("redis-sentinel://a#m", "the name of the master is sentinelMasterId"),
                Map.entry("redis-sentinel:///0?sentinelMasterId=m", "the URI names no sentinels"),
                Map.entry("redis-sentinel://a,?sentinelMasterId=m", "sentinel '' is not an address"),
                Map.entry("redis-sentinel://a:0?sentinelMasterId=m", "sentinel 'a:0' is not an address"),
                Map.entry("redis-sentinel://a:99999?sentinelMasterId=m", "sentinel 'a:99999' is not an address"),
                Map.entry("redis-sentinel://a,a:26379?sentinelMasterId=m", "sentinel a:26379 is given 2 times"),
                Map.entry("redis-sentinel://x@a?sentinelMasterId=m", "a user without a password"),
                Map.entry("redis-sentinel://a/x?sentinelMasterId=m", "the path is '/x'"),
                Map.entry("redis-sentinel://a?sentinelMasterId=m&sentinelUser=u", "sentinelPassword"),
                Map.entry("redis-sentinel://a?sentinelMasterId=m&connection=redisson", "RedisBackend.onRedisson"),
                Map.entry("redis://h?sentinelMasterId=m", "sentinelMasterId"),
                Map.entry("redis://h?acknowledge=0", "acknowledge=0 is not a whole number from 1 to 100"),
                Map.entry("redis://h?acknowledge=many", "acknowledge=many"),
                Map.entry("redis://h?acknowledge=101", "acknowledge=101"),
                Map.entry("redis://under_score:6379", "a host name takes letters"),
                Map.entry("redis://h?renewedLease=5s", "LockClient.connect"),
                Map.entry("redis://h/zero", "/zero"),
                Map.entry("redis://h/1/2", "/1/2"),
                Map.entry("redis://h#x", "fragment"),
                Map.entry("redis:h", "host"),
                Map.entry("redis://h:99999", "99999"),
                Map.entry("redis://alice@h", "password"),
                Map.entry("redis://alice:@h", "password"));
        wrong.forEach((uri, named) -> assertThatIllegalArgumentException()
                .as(uri)
                .isThrownBy(() -> RedisConfig.of(URI.create(uri)))
                .withMessageContaining(named));
    }

    @Test
    void at_most_twelve_parameters_are_known_and_all_others_are_answered_with_them() {
        for (String unknown : List.of(
                "colour",
                "spin",
                "notify",
                "acknowledgeWithin",
                "trustStore",
                "keyStore",
                "handOff",
                "recallWithin",
                "closeWithin")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RedisConfig.of(URI.create("rediss://h?" + unknown + "=1")))
                    .withMessage("URI parameter '" + unknown
                            + "' is unknown: known are [acknowledge, commandTimeout, connect,"
                            + " connection, eviction, keep, keyPrefix, label, maxHold, onLoss, ordering, renewedLease,"
                            + " unavailableAfter]");
        }
    }

    @Test
    void a_wait_for_replicas_beyond_half_of_the_command_timeout_is_refused() {
        for (Duration within : List.of(Duration.ZERO, Duration.ofSeconds(2))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RedisConfig.of("h", 6379)
                            .locks(RedisLocks.defaults().acknowledge(1, within)))
                    .withMessageContaining(
                            "acknowledgeWithin is " + within + ": it must be from 1 ms to half of commandTimeout");
        }
    }
}
