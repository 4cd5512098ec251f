package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jars on the class path, and all of them in one. */
class ClassPathTest {
    private static final String MAIN = TakeLocks.class.getName();

    @Test
    void every_backend_is_found_on_the_class_path_and_in_a_shaded_jar() throws Exception {
        try (RedisServer redis = RedisServer.start();
                ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            String[] uris = {"memory://local", redis.uri(), "zookeeper://" + zookeeper.connectString()};
            Program plain = Program.java(Map.of(), "-cp", Jars.all().path(), MAIN, uris[0], uris[1], uris[2]);
            Program shaded = Program.java(Map.of(), "-jar", Jars.shaded().toString(), uris[0], uris[1], uris[2]);
            for (Program program : new Program[] {plain, shaded}) {
                assertThat(program.exit()).as(program.said()).isZero();
                for (String uri : uris) {
                    assertThat(program.said()).containsPattern("locked at " + uri + ", token \\d+");
                }
            }
        }
    }

    @Test
    void the_environment_names_the_service() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            Program program = Program.java(
                    Map.of("HASP_URI", redis.uri()), "-jar", Jars.shaded().toString());
            assertThat(program.said()).containsPattern("locked at the environment's, token \\d+");
        }
    }

    @Test
    void a_service_that_nobody_named_is_an_error_even_if_only_memory_is_there() throws Exception {
        String classPath =
                Jars.of("lock-api", "lock-memory", "lock-packaging-tests").path();
        Program program = Program.java(Map.of(), "-cp", classPath, MAIN);
        assertThat(program.exit()).isNotZero();
        assertThat(program.said())
                .contains("InvalidArgumentException: no lock service is named: set the environment variable HASP_URI")
                .contains("(found [memory])");
    }

    @Test
    void a_missing_backend_is_named_by_its_artifact() throws Exception {
        String classPath =
                Jars.of("lock-api", "lock-memory", "lock-packaging-tests").path();
        Program program = Program.java(Map.of(), "-cp", classPath, MAIN, "zookeeper://127.0.0.1");
        assertThat(program.exit()).isNotZero();
        assertThat(program.said())
                .contains(
                        "no backend for the scheme 'zookeeper' (found [memory]); add the artifact io.hasp:lock-zookeeper");
    }
}
