package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.conformance.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A stranger's service in both generations of Spring Boot: with one dependency of ours and no property of ours, a {@code @Scheduled}
 * and a {@code @Transactional} method are locked.
 */
@Timeout(900)
@InTier(Tier.STANDARD)
class SpringBootTest {
    private static final ScratchFolder SCRATCH = ScratchFolder.create();
    private static final RedisServer REDIS = RedisServer.start();
    private static List<Combination> services = List.of();
    private static ClassPaths classPaths = new ClassPaths(Path.of("."));

    /** {@code app.client=own} with {@code hasp.enabled=false} is what the client costs alone. */
    static final String SERVICE = """
            package com.example;

            import io.hasp.*;
            import io.hasp.locked.*;
            import java.util.concurrent.*;
            import org.springframework.beans.factory.ObjectProvider;
            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
            import org.springframework.context.ConfigurableApplicationContext;
            import org.springframework.context.annotation.Bean;
            import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
            import org.springframework.jdbc.core.JdbcTemplate;
            import org.springframework.scheduling.annotation.*;
            import org.springframework.stereotype.Component;
            import org.springframework.transaction.annotation.Transactional;

            @SpringBootApplication
            @EnableScheduling
            public class App {
                static final CountDownLatch JOBS = new CountDownLatch(2);

                @Component
                public static class Stock {
                    private final JdbcTemplate database;

                    Stock(JdbcTemplate database) {
                        this.database = database;
                        database.execute("CREATE TABLE stock (id BIGINT, left_over INT)");
                        database.update("INSERT INTO stock VALUES (7, 100)");
                    }

                    @Transactional
                    @Locked("stock/{id}")
                    public void take(long id) {
                        int left = database.queryForObject("SELECT left_over FROM stock WHERE id = ?", Integer.class, id);
                        database.update("UPDATE stock SET left_over = ? WHERE id = ?", left - 1, id);
                    }

                    int left() {
                        return database.queryForObject("SELECT left_over FROM stock", Integer.class);
                    }
                }

                @Component
                public static class Job {
                    private final ObjectProvider<Lease> lease;

                    Job(ObjectProvider<Lease> lease) {
                        this.lease = lease;
                    }

                    @Scheduled(fixedRate = 50)
                    @Locked(value = "job", waitAtMost = "0s", skipIfBusy = true)
                    public void run() {
                        System.out.println("job with token " + lease.getObject().fencingToken());
                        JOBS.countDown();
                    }
                }

                @Bean(destroyMethod = "close")
                @ConditionalOnProperty(name = "app.client", havingValue = "own")
                LockClient own(LettuceConnectionFactory factory) {
                    return LockClient.over(
                            io.hasp.redis.RedisBackend.onLettuce(
                                    io.lettuce.core.RedisClient.create(factory.getClientResources()),
                                    io.lettuce.core.RedisURI.create("127.0.0.1", factory.getPort())),
                            ClientOptions.defaults());
                }

                public static void main(String[] args) throws Exception {
                    long begun = System.nanoTime();
                    try (ConfigurableApplicationContext app = SpringApplication.run(App.class, args)) {
                        System.out.println("started in ms: " + (System.nanoTime() - begun) / 1_000_000);
                        if (app.getEnvironment().containsProperty("app.measure")) {
                            return;
                        }
                        Stock stock = app.getBean(Stock.class);
                        ExecutorService clients = Executors.newFixedThreadPool(4);
                        for (int i = 0; i < 100; i++) {
                            clients.execute(() -> stock.take(7));
                        }
                        clients.shutdown();
                        clients.awaitTermination(60, TimeUnit.SECONDS);
                        System.out.println("left over: " + stock.left());
                        System.out.println("jobs: " + JOBS.await(60, TimeUnit.SECONDS));
                    }
                    System.out.println("closed");
                }
            }
            """;

    @BeforeAll
    static void resolve() throws Exception {
        Path shared = Path.of(System.getProperty("hasp.test.repository"));
        LocalRepository repository = LocalRepository.in(SCRATCH.path().resolve("repository"), shared);
        services = Combination.bootsOfServices().stream()
                .map(boot -> Combination.service(boot, repository.version()))
                .toList();
        classPaths = ClassPaths.of(services, SCRATCH.path().resolve("projects"), repository);
    }

    @AfterAll
    static void close() {
        REDIS.close();
        SCRATCH.close();
    }

    static List<Combination> services() {
        return services;
    }

    @ParameterizedTest
    @MethodSource("services")
    void one_dependency_and_no_property_lock_a_scheduled_and_a_transactional_method(Combination service)
            throws Exception {
        String classPath = compile(service) + File.pathSeparator + new Jars(classPaths.of(service)).path();
        Program program = run(classPath);
        assertThat(program.exit()).as(program.said()).isZero();
        assertThat(program.said())
                .contains("Locks at redis://localhost:" + REDIS.port()
                        + ", as Spring Data Redis by the LettuceConnectionFactory 'redisConnectionFactory'")
                .contains("left over: 0", "jobs: true", "closed")
                .containsPattern("job with token \\d+")
                .doesNotContain("WARN", "ERROR");
        try (LockClient other = LockClient.connect(REDIS.uri());
                Lease free = other.lock("stock/7").tryAcquire().orElseThrow()) {
            assertThat(free.fencingToken()).as("nothing is left locked").isPositive();
        }
    }

    private static String compile(Combination service) throws IOException {
        Path folder = Files.createDirectories(classPaths.folder().resolve(service.name()));
        Path source = Files.writeString(folder.resolve("App.java"), SERVICE);
        String classes = folder.resolve("classes").toString();
        int result = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "-parameters",
                        "-proc:none",
                        "-cp",
                        new Jars(classPaths.of(service)).path(),
                        "-d",
                        classes,
                        source.toString());
        assertThat(result).isZero();
        return classes;
    }

    private static Program run(String classPath) throws IOException, InterruptedException {
        return Program.java(Map.of(), "-cp", classPath, "com.example.App", "--spring.data.redis.port=" + REDIS.port());
    }

    private static final List<String> NOT_IN_SERVICES = List.of(
            "org.springframework.boot.health.contributor.",
            "org.springframework.boot.actuate.endpoint.",
            "org.springframework.test.context.");

    /** Neither the actuator nor spring-test is in these services, and health has another name in Boot 3: those classes are not loaded. */
    @ParameterizedTest
    @MethodSource("services")
    void every_call_into_spring_and_its_clients_finds_its_method(Combination service) throws IOException {
        for (String library : List.of("org.springframework", "io.lettuce")) {
            Links links = Links.of(classPaths.jar(service, "lock-spring-boot"), library);
            assertThat(links.targets()).as(library).isNotEmpty();
            assertThat(links.broken(new Jars(classPaths.of(service))))
                    .as(library)
                    .allMatch(broken -> NOT_IN_SERVICES.stream().anyMatch(broken::startsWith));
        }
    }
}
