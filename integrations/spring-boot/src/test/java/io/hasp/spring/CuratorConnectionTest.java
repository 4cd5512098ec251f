package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import io.hasp.locked.Locked;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Curator client that an application has, on a real ZooKeeper. */
@ExtendWith(OutputCaptureExtension.class)
class CuratorConnectionTest {
    private static final ZooKeeperServer ZOOKEEPER = ZooKeeperServer.start();

    @AfterAll
    static void stop() {
        ZOOKEEPER.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class WithCurator {
        @Bean(initMethod = "start", destroyMethod = "close")
        CuratorFramework curator() {
            return CuratorFrameworkFactory.newClient(ZOOKEEPER.connectString(), new RetryOneTime(100));
        }
    }

    @Test
    void a_curator_client_is_used_and_nothing_is_left(CapturedOutput output) throws Exception {
        Boot.withHasp().withUserConfiguration(WithCurator.class).run(context -> {
            LockClient client = context.getBean(LockClient.class);
            try (Lease lease = client.lock("connection").acquire()) {
                assertThat(lease.fencingToken()).isPositive();
            }
            assertThat(output).contains("Locks at ZooKeeper by the CuratorFramework 'curator'");
        });
        try (LockClient other = LockClient.connect("zookeeper://" + ZOOKEEPER.connectString())) {
            assertThat(other.lock("connection").tryAcquire()).hasValueSatisfying(Lease::close);
        }
    }

    static class Daily {
        @Locked(value = "daily", takenAtLeast = "1h")
        public void run() {}
    }

    @Test
    void what_the_service_can_not_do_is_refused_at_start() {
        Boot.withHasp()
                .withUserConfiguration(WithCurator.class)
                .withBean(Daily.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessage(
                                "@Locked on Daily.run(): takenAtLeast=PT1H, which the service of its client can't do: a lock"
                                        + " ends there with its client"));
    }

    @Test
    void beside_redis_the_application_must_choose() {
        try (RedisServer redis = RedisServer.start()) {
            String[] properties = {"spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port()};
            Boot.withRedis(properties)
                    .withUserConfiguration(WithCurator.class)
                    .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                            .hasMessage("hasp.uri is not set, and the application has connections to several services:"
                                    + " [lettuce, curator]"));
            Boot.withRedis(properties)
                    .withUserConfiguration(WithCurator.class)
                    .withPropertyValues("hasp.connection=curator")
                    .run(context -> assertThat(context).hasSingleBean(LockClient.class));
        }
    }
}
