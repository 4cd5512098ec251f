package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An application that is a module: it requires {@code io.hasp}, and no backend by name. */
class ModulePathTest {
    private static final ScratchFolder FOLDER = ScratchFolder.create();
    /** Jedis has no module descriptor that would require SLF4J and Gson, which have one. */
    private static final String ALL = "--add-modules=ALL-MODULE-PATH";

    private static final String MAIN = "stranger/" + TakeLocks.class.getName();

    @BeforeAll
    static void compile() throws IOException {
        Path info = FOLDER.path().resolve("module-info.java");
        Files.writeString(info, "module stranger { requires io.hasp; }");
        int result = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-p",
                        Jars.of("lock-api").path(),
                        "-d",
                        application(),
                        info.toString(),
                        "src/main/java/io/hasp/packaging/TakeLocks.java");
        assertThat(result).isZero();
    }

    @AfterAll
    static void delete() {
        FOLDER.close();
    }

    private static String application() {
        return FOLDER.path().resolve("stranger").toString();
    }

    private static String with(Jars modules) {
        return application() + File.pathSeparator + modules.path();
    }

    @Test
    void memory_and_redis_are_found_as_modules() throws Exception {
        Jars modules = Jars.of("lock-memory").and(Jars.ofLockRedis());
        try (RedisServer redis = RedisServer.start()) {
            Program program =
                    Program.java(Map.of(), "-p", with(modules), ALL, "-m", MAIN, "memory://local", redis.uri());
            assertThat(program.said())
                    .containsPattern("locked at memory://local, token \\d+")
                    .containsPattern("locked at " + redis.uri() + ", token \\d+");
            assertThat(program.exit()).isZero();
        }
    }

    @Test
    void zookeeper_can_not_be_a_module_because_its_own_jars_share_a_package() throws Exception {
        Program program = Program.java(Map.of(), "-p", with(Jars.all()), "-m", MAIN, "memory://local");
        assertThat(program.exit()).isNotZero();
        assertThat(program.said())
                .contains("java.lang.module.ResolutionException")
                .containsPattern("org\\.apache\\.zookeeper\\S* to module|package org\\.apache\\.zookeeper\\S*");
    }

    @Test
    void zookeeper_works_from_the_class_path_beside_an_application_of_modules() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            String uri = "zookeeper://" + zookeeper.connectString();
            String classPath = Jars.all().path();
            Program program =
                    Program.java(Map.of(), "-p", with(Jars.of("lock-api")), "-cp", classPath, "-m", MAIN, uri);
            assertThat(program.said()).containsPattern("locked at " + uri + ", token \\d+");
        }
    }

    @Test
    void the_names_of_modules_stay_as_they_are() {
        Path[] jars = Jars.of("lock-api", "lock-memory", "lock-redis", "lock-zookeeper")
                .files()
                .toArray(Path[]::new);
        assertThat(ModuleFinder.of(jars).findAll())
                .extracting(module -> module.descriptor().name())
                .containsExactlyInAnyOrder("io.hasp", "io.hasp.memory", "io.hasp.redis", "io.hasp.zookeeper");
    }
}
