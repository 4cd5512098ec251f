package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A project with the artifacts alone: one dependency and five lines; another dependency and URI; one module. */
@Timeout(900)
@InTier(Tier.STANDARD)
class StrangersProjectTest {
    private static final String FIVE_LINES = """
            import io.hasp.*;

            public class App {
                public static void main(String[] args) throws Exception {
                    try (LockClient locks = LockClient.connect(args[0])) {
                        try (Lease lease = locks.lock("orders/42").acquire()) {
                            System.out.println("shipping order 42 with token " + lease.fencingToken());
                        }
                    }
                }
            }
            """;

    private static final String WITH_GUICE = """
            import com.google.inject.*;
            import io.hasp.*;
            import io.hasp.guice.*;
            import io.hasp.locked.*;

            public class App {
                @Inject Provider<Lease> lease;

                @Locked("orders/{id}")
                public void ship(@LockKey("id") long id) {
                    System.out.println("shipping order " + id + " with token " + lease.get().fencingToken());
                }

                public static void main(String[] args) {
                    Injector injector = Guice.createInjector(HaspModule.connectingTo(args[0]));
                    injector.getInstance(App.class).ship(42);
                    injector.getInstance(HaspShutdown.class).close();
                }
            }
            """;

    private static final String SHIPPED = "shipping order 42 with token \\d+";

    @Test
    void a_stranger_starts_on_redis_moves_to_zookeeper_and_then_to_guice() throws Exception {
        try (ScratchFolder scratch = ScratchFolder.create();
                RedisServer redis = RedisServer.start();
                ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            Path shared = Path.of(System.getProperty("hasp.test.repository"));
            LocalRepository repository = LocalRepository.in(scratch.path().resolve("repository"), shared);
            StrangersProject project = new StrangersProject(scratch.path().resolve("project"), repository);

            project.dependsOn("lock-redis");
            project.writes(FIVE_LINES);
            assertThat(project.runs(redis.uri())).containsPattern(SHIPPED);
            assertThat(project.libraries())
                    .as("one client library of Redis")
                    .contains("jedis")
                    .doesNotContain("redisson", "lettuce-core", "jspecify")
                    .containsExactlyInAnyOrderElementsOf(Jars.OF_LOCK_REDIS);

            String uri = "zookeeper://" + zookeeper.connectString();
            project.dependsOn("lock-zookeeper");
            assertThat(project.runs(uri)).containsPattern(SHIPPED);
            assertThat(project.libraries()).doesNotContain("jedis");

            project.dependsOn("lock-zookeeper", "lock-guice");
            project.writes(WITH_GUICE);
            assertThat(project.runs(uri)).containsPattern(SHIPPED);

            project.dependsOn(
                    "lock-redis",
                    "lock-zookeeper",
                    "lock-memory",
                    "lock-guice",
                    "lock-micrometer",
                    "lock-spring-integration");
            project.checksConflicts();
        }
    }
}
