package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hasp.spi.Tls;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The URI of a ZooKeeper backend: its defaults and the values that it refuses. */
class ZooKeeperUriTest {
    private static ZooKeeperConfig read(String uri) {
        return ZooKeeperConfig.of(URI.create(uri));
    }

    @Test
    void servers_alone_mean_the_defaults() {
        assertThat(read("zookeeper://h1:2181,h2:2182")).isEqualTo(ZooKeeperConfig.of("h1:2181,h2:2182"));
    }

    @Test
    void every_part_is_read() {
        ZooKeeperConfig config = read(
                "zookeeper://us%2Fer:p%40ss:w@h1,h2:2182/team/a/?sessionTimeout=6s&connectionTimeout=PT0.5S"
                        + "&commandTimeout=700ms&acl=creator&tls=true&trustStore=/t.pem&trustStorePassword=a%26b%2Bc&keyStore=k.p12");

        assertThat(config)
                .isEqualTo(new ZooKeeperConfig(
                        "h1,h2:2182",
                        new ZooKeeperLocks("/team/a/hasp/locks", ZooDefs.Ids.CREATOR_ALL_ACL, Duration.ofMillis(700)),
                        Duration.ofSeconds(6),
                        Duration.ofMillis(500),
                        Optional.of(new DigestCredentials("us/er", "p@ss:w")),
                        Optional.empty(),
                        Optional.of(
                                new Tls(Optional.of(Path.of("/t.pem")), "a&b+c", Optional.of(Path.of("k.p12")), ""))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zookeeper://h?sesionTimeout=3s | sesionTimeout | sessionTimeout",
                "zookeeper://h?sessionTimeout=3 | sessionTimeout | not a duration",
                "zookeeper://h?sessionTimeout=0s | sessionTimeout | 1 ms to 1 h",
                "zookeeper://h?commandTimeout=2h | commandTimeout | 1 ms to 1 h",
                "zookeeper://h?tls | tls | name=value",
                "zookeeper://h?tls= | tls | true nor false",
                "zookeeper://h?tls=yes | tls | true nor false",
                "zookeeper://h?tls=true&tls=true | tls | twice",
                "zookeeper://h?trustStore=/x | trustStore | tls=true",
                "zookeeper://h?tls=false&keyStore=x | keyStore | tls=true",
                "zookeeper://h?tls=true&keyStorePassword=x | keyStorePassword | keyStore",
                "zookeeper://h?acl=creator | acl=creator | credentials",
                "zookeeper://h?acl=all | acl=all | open, creator",
                "zookeeper:///x | servers | zookeeper://host",
                "zookeeper://h,,i | server | host:port",
                "zookeeper://h:2181,i:65536 | i:65536 | 1 to 65535",
                "zookeeper://h:0 | h:0 | 1 to 65535",
                "zookeeper://user@h | user | user:password@",
                "zookeeper://h/zookeeper/../x | path | relative",
                "zookeeper://h/a//b | path | empty node",
                "zookeeper://h#x | fragment | %23"
            })
    void ap7_an_unknown_or_contradictory_parameter_is_an_error_that_names_it(String uri, String names, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(uri))
                .withMessageContaining(names)
                .withMessageContaining(rule);
    }

    @Test
    void ap7_no_message_repeats_a_password() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("zookeeper://user:secret@h?nonsense=1"))
                .withMessageNotContaining("secret");
        assertThat(read("zookeeper://user:secret@h").toString()).doesNotContain("secret");
    }
}
