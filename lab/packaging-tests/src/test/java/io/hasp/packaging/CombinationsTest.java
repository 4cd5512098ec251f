package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our artifacts beside the libraries that Spring Boot manages, and beside Lettuce without any management. The other
 * process is this one, with the versions that the build has: two versions of Jedis wait for each other.
 */
@Timeout(900)
@InTier(Tier.STANDARD)
class CombinationsTest {
    private static final ScratchFolder SCRATCH = ScratchFolder.create();
    private static final RedisServer REDIS = RedisServer.start();
    private static List<Combination> combinations;
    private static LocalRepository repository;
    private static ClassPaths classPaths;
    private static EncryptedZooKeeper zookeeper;

    @BeforeAll
    static void resolve() throws Exception {
        zookeeper = EncryptedZooKeeper.start(SCRATCH.path());
        Path shared = Path.of(System.getProperty("hasp.test.repository"));
        repository = LocalRepository.in(SCRATCH.path().resolve("repository"), shared);
        combinations = Combination.all(repository.version());
        classPaths = ClassPaths.of(combinations, SCRATCH.path().resolve("projects"), repository);
    }

    @AfterAll
    static void close() {
        REDIS.close();
        zookeeper.close();
        SCRATCH.close();
    }

    static List<Combination> combinations() {
        return combinations;
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void the_jars_of_hasp_are_the_published_ones(Combination combination) throws IOException {
        for (String artifact : List.of("lock-api", "lock-redis", "lock-zookeeper")) {
            assertThat(classPaths.jar(combination, artifact)).hasSameBinaryContentAs(repository.published(artifact));
        }
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void one_version_of_netty_and_the_managed_jedis_and_lettuce(Combination combination) throws IOException {
        assertThat(classPaths.jar(combination, "jedis")).hasFileName("jedis-" + combination.jedis() + ".jar");
        assertThat(classPaths.jar(combination, "lettuce-core"))
                .hasFileName("lettuce-core-" + combination.lettuce() + ".jar");
        for (String library : List.of("curator-framework", "curator-client")) {
            assertThat(classPaths.jar(combination, library))
                    .hasFileName(library + "-" + combination.curator() + ".jar");
        }
        assertThat(classPaths.of(combination))
                .extracting(file -> file.getFileName().toString())
                .filteredOn(file -> file.startsWith("netty-") && !file.startsWith("netty-transport-classes-epoll"))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(file).endsWith("-" + combination.netty() + ".jar"));
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void every_call_into_a_client_library_finds_its_method(Combination combination) throws IOException {
        List<String> libraries = combination.redisson().isPresent()
                ? List.of("redis.clients", "io.lettuce", "org.redisson")
                : List.of("redis.clients", "io.lettuce");
        for (String library : libraries) {
            everyCallFindsItsMethod(combination, "lock-redis", library);
        }
        everyCallFindsItsMethod(combination, "lock-zookeeper", "org.apache.curator");
    }

    private static void everyCallFindsItsMethod(Combination combination, String artifact, String library)
            throws IOException {
        Links links = Links.of(classPaths.jar(combination, artifact), library);
        assertThat(links.targets()).as(library).hasSizeGreaterThan(20);
        assertThat(links.broken(new Jars(classPaths.of(combination))))
                .as(library)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("combinations")
    void locks_waits_for_another_process_and_notices_a_loss(Combination combination) throws Exception {
        String name = combination.name();
        String lock = "hasp:{" + name + "}";
        CompletableFuture<Program> running;
        try (LockClient locks = LockClient.connect(REDIS.uri());
                RespConnection connection = REDIS.connect()) {
            try (Lease lease = locks.lock(name).acquire()) {
                running = start(combination);
                await(running, () -> connection.integer("ZCARD", lock + ":q") == 1);
                lease.ensureHeld();
            }
            await(running, () -> connection.integer("EXISTS", name) == 1);
            connection.command("DEL", lock);
        }
        Program program = running.get();
        assertThat(program.exit()).as(program.said()).isZero();
        assertThat(program.said())
                .containsSubsequence("Lettuce: PONG", "busy", "lost", "locked through Lettuce")
                .contains("locked at " + zookeeper.plainUri(), "locked at " + zookeeper.encryptedUri())
                .doesNotContain("Connection is already closed");
    }

    /** Waits while the program runs: one that has ended says why. */
    private static void await(CompletableFuture<Program> running, Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            try {
                throw new AssertionError(running.get(20, TimeUnit.MILLISECONDS).said());
            } catch (TimeoutException e) {
                // It still runs.
            }
        }
    }

    static Stream<Combination> combinationsWithRedisson() {
        return combinations.stream().filter(one -> one.redisson().isPresent());
    }

    @ParameterizedTest
    @MethodSource("combinationsWithRedisson")
    void locks_through_the_redisson_client_of_the_application(Combination combination) throws Exception {
        assertThat(classPaths.jar(combination, "redisson"))
                .hasFileName("redisson-" + combination.redisson().orElseThrow() + ".jar");
        REDIS.command("ACL", "SETUSER", "locker", "on", ">secret", "~*", "&*", "+@all");
        String withPassword = REDIS.uri().replace("redis://", "redis://locker:secret@");
        Program program = Program.java(
                Map.of(),
                "-cp",
                classPath(combination),
                BesideRedisson.class.getName(),
                combination.name() + "-redisson",
                REDIS.uri(),
                withPassword);
        assertThat(program.exit()).as(program.said()).isZero();
        assertThat(program.said())
                .containsSubsequence("locked through Redisson", "locked with a password")
                .containsPattern("INFO org.redisson")
                .doesNotContain("WARN", "deprecated");
    }

    private static String classPath(Combination combination) throws IOException {
        return Jars.of("lock-packaging-tests")
                .and(new Jars(classPaths.of(combination)))
                .path();
    }

    private static CompletableFuture<Program> start(Combination combination) throws IOException {
        String[] arguments = {
            "-cp",
            classPath(combination),
            BesideLettuce.class.getName(),
            combination.name(),
            REDIS.uri(),
            zookeeper.plainUri(),
            zookeeper.encryptedUri()
        };
        return CompletableFuture.supplyAsync(() -> {
            try {
                return Program.java(Map.of(), arguments);
            } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
            }
        });
    }
}
