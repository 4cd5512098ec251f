package io.hasp.evaluation.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class VersionsTest {

    @Test
    void results_have_the_version_of_each_library_that_a_measured_lock_is_from_or_on() {
        Versions redis = new Versions();
        redis.addRedis("redis_version:7.0.15");
        Versions postgres = new Versions();
        postgres.addPostgres("18.4");
        Versions zookeeper = new Versions();
        zookeeper.addZooKeeper(Versions.ofClient());

        assertNumbers(redis.all(), "redis", "redisson", "spring-integration", "shedlock", "lettuce", "jedis");
        assertNumbers(postgres.all(), "postgresql", "pgjdbc", "spring-integration", "shedlock", "hikaricp");
        assertNumbers(zookeeper.all(), "zookeeper", "curator", "spring-integration");
    }

    private static void assertNumbers(Map<String, String> versions, String... names) {
        assertThat(versions).containsOnlyKeys(names);
        assertThat(versions.values()).allMatch(each -> each.matches("[0-9.]+[A-Z.]*"));
    }
}
