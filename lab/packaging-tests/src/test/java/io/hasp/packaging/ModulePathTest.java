package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application that is a module: it requires {@code io.hasp}, and no backend by name. */
class ModulePathTest {
    private static final ScratchFolder FOLDER = ScratchFolder.create();
    /** No descriptor requires Jedis, which an application may replace, nor the libraries of Jedis, which has no descriptor. */
    private static final String ALL = "--add-modules=ALL-MODULE-PATH";

    private static final String OF_LETTUCE =
            "lettuce-core|reactor-core|reactive-streams|redis-authx-core|netty-(buffer|codec-base"
                    + "|codec-dns|common|handler|resolver|resolver-dns|transport|transport-native-unix-common)";

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
            takesLocks(
                    Program.java(Map.of(), "-p", with(modules), ALL, "-m", MAIN, "memory://local", redis.uri()),
                    "memory://local",
                    redis.uri());
        }
    }

    @Test
    void redis_works_through_lettuce_as_modules() throws Exception {
        Jars modules = Jars.of("lock-api", "lock-redis", "slf4j-api").and(Jars.ofClassPath(OF_LETTUCE));
        try (RedisServer redis = RedisServer.start()) {
            String uri = redis.uri() + "?connection=lettuce";
            takesLocks(Program.java(Map.of(), "-p", with(modules), ALL, "-m", MAIN, uri), uri);
        }
    }

    @Test
    void postgres_and_its_libraries_are_found_as_modules() throws Exception {
        Jars modules = Jars.of("lock-api", "lock-postgres", "HikariCP", "postgresql", "slf4j-api");
        try (PostgresServer postgres = PostgresServer.start()) {
            takesLocks(Program.java(Map.of(), "-p", with(modules), "-m", MAIN, postgres.uri()), postgres.uri());
        }
    }

    @Test
    void the_jars_of_zookeeper_can_not_be_modules_because_they_share_a_package() throws Exception {
        Program program = Program.java(Map.of(), "-p", with(Jars.all()), ALL, "-m", MAIN, "memory://local");
        assertThat(program.exit()).isNotZero();
        assertThat(program.said())
                .contains("java.lang.module.ResolutionException")
                .containsPattern("org\\.apache\\.zookeeper\\S* to module|package org\\.apache\\.zookeeper\\S*");
    }

    @Test
    void zookeeper_is_a_module_that_reads_its_client_library_on_the_class_path() throws Exception {
        Jars modules = Jars.of("lock-api", "lock-zookeeper");
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            String uri = "zookeeper://" + zookeeper.connectString();
            String classPath = Jars.all().without(modules).path();
            takesLocks(Program.java(Map.of(), "-p", with(modules), "-cp", classPath, "-m", MAIN, uri), uri);
        }
    }

    @Test
    void zookeeper_works_from_the_class_path_beside_an_application_of_modules() throws Exception {
        try (ZooKeeperServer zookeeper = ZooKeeperServer.start()) {
            String uri = "zookeeper://" + zookeeper.connectString();
            String classPath = Jars.all().path();
            takesLocks(Program.java(Map.of(), "-p", with(Jars.of("lock-api")), "-cp", classPath, "-m", MAIN, uri), uri);
        }
    }

    private static void takesLocks(Program program, String... uris) {
        assertThat(uris)
                .allSatisfy(uri ->
                        assertThat(program.said()).containsPattern(Pattern.quote("locked at " + uri) + ", token \\d+"));
        assertThat(program.exit()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "lock-api, io.hasp, false",
        "lock-memory, io.hasp.memory, false",
        "lock-redis, io.hasp.redis, false",
        "lock-zookeeper, io.hasp.zookeeper, false",
        "lock-postgres, io.hasp.postgres, false",
        "lock-test, io.hasp.test, false",
        "lock-micrometer, io.hasp.micrometer, false",
        "lock-guice, io.hasp.guice, true",
        "lock-spring-boot, io.hasp.spring, true",
        "lock-spring-boot3, io.hasp.spring3, true",
        "lock-spring-integration, io.hasp.spring.integration, true",
        "lock-conformance-tests, io.hasp.conformance, true"
    })
    void the_names_of_modules_stay_as_they_are(String artifact, String module, boolean automatic) throws IOException {
        assertThat(ModuleFinder.of(LocalRepository.built(artifact, "")).findAll())
                .extracting(
                        found -> found.descriptor().name(),
                        found -> found.descriptor().isAutomatic())
                .containsExactly(tuple(module, automatic));
    }
}
