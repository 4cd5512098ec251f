package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.ScratchFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A stranger's service with Spring Integration, in both generations: it has a lock registry without a line for it, and a leader. Our one
 * artifact is compiled with the newer generation.
 */
@Timeout(900)
@InTier(Tier.STANDARD)
class SpringIntegrationTest {
    private static final ScratchFolder SCRATCH = ScratchFolder.create();
    private static List<Combination> services = List.of();
    private static ClassPaths classPaths = new ClassPaths(Path.of("."));

    private static final String SERVICE = """
            package com.example;

            import io.hasp.spring.integration.*;
            import java.util.concurrent.*;
            import java.util.concurrent.locks.Lock;
            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.SpringBootApplication;
            import org.springframework.context.ConfigurableApplicationContext;
            import org.springframework.context.annotation.Bean;
            import org.springframework.integration.leader.*;
            import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
            import org.springframework.integration.support.locks.*;

            @SpringBootApplication
            public class App {
                static final CountDownLatch LEADS = new CountDownLatch(1);

                @Bean
                LockRegistryLeaderInitiator leader(OurRegistry registry) {
                    return registry.leaderInitiator(new DefaultCandidate("app", "leader") {
                        @Override
                        public void onGranted(Context context) {
                            System.out.println("leads " + context.getRole());
                            LEADS.countDown();
                        }

                        @Override
                        public void onRevoked(Context context) {
                            System.out.println("leads no more");
                        }
                    });
                }

                public static void main(String[] args) throws Exception {
                    try (ConfigurableApplicationContext app = SpringApplication.run(App.class, args)) {
                        OurRegistry registry = app.getBean(OurRegistry.class);
                        System.out.println("one registry: " + (registry == app.getBean(LockRegistry.class)));
                        registry.executeLocked("a", () -> {
                            registry.renewLock("a");
                            System.out.println("token: " + registry.lease("a").get().fencingToken());
                        });
                        Lock lock = registry.obtain("a");
                        System.out.println("locked: " + lock.tryLock(1, TimeUnit.SECONDS));
                        lock.unlock();
                        System.out.println("led: " + LEADS.await(60, TimeUnit.SECONDS));
                        System.out.println(TTL);
                    }
                    System.out.println("closed");
                }
            }
            """;

    private static final String LOCKED_FOR_A_TIME =
            "\"with a time to live: \" + registry.obtain(\"b\").tryLock(java.time.Duration.ZERO, java.time.Duration.ofSeconds(9))";

    @BeforeAll
    static void resolve() throws Exception {
        Path shared = Path.of(System.getProperty("hasp.test.repository"));
        LocalRepository repository = LocalRepository.in(SCRATCH.path().resolve("repository"), shared);
        services = Combination.bootsOfServices().stream()
                .map(boot -> service(boot, repository.version()))
                .toList();
        classPaths = ClassPaths.of(services, SCRATCH.path().resolve("projects"), repository);
    }

    private static Combination service(String boot, String hasp) {
        String ofBoot = "org.springframework.boot:";
        List<String> dependencies = List.of(
                "io.hasp:lock-spring-boot:" + hasp,
                "io.hasp:lock-spring-integration:" + hasp,
                "io.hasp:lock-memory:" + hasp,
                ofBoot + "spring-boot-starter-integration");
        return new Combination(
                "integration-on-boot-" + boot,
                List.of(ofBoot + "spring-boot-dependencies:" + boot),
                dependencies,
                "",
                "",
                Optional.empty(),
                "",
                "");
    }

    @AfterAll
    static void close() {
        SCRATCH.close();
    }

    static List<Combination> services() {
        return services;
    }

    @ParameterizedTest
    @MethodSource("services")
    void a_service_has_a_lock_registry_and_a_leader_on_its_lock_client(Combination service) throws Exception {
        boolean newer = service.name().contains("boot-4");
        String source = SERVICE.replace("OurRegistry", newer ? "HaspLockRegistry" : "HaspLockRegistry6")
                .replace("TTL", newer ? LOCKED_FOR_A_TIME : "\"no time to live\"");
        String classPath = compile(service, source) + File.pathSeparator + new Jars(classPaths.of(service)).path();
        Program program = Program.java(Map.of(), "-cp", classPath, "com.example.App", "--hasp.uri=memory://service");
        assertThat(program.exit()).as(program.said()).isZero();
        assertThat(program.said())
                .contains("one registry: true", "locked: true", "led: true", "leads leader")
                .containsPattern("token: \\d+")
                .contains(newer ? "with a time to live: true" : "no time to live")
                .containsSubsequence("leads no more", "closed")
                .doesNotContain("ERROR");
    }

    private static String compile(Combination service, String source) throws IOException {
        Path folder = Files.createDirectories(classPaths.folder().resolve(service.name()));
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
                        Files.writeString(folder.resolve("App.java"), source).toString());
        assertThat(result).isZero();
        return classes;
    }

    @ParameterizedTest
    @MethodSource("services")
    void every_call_into_spring_finds_its_method(Combination service) throws IOException {
        Links links = Links.of(classPaths.jar(service, "lock-spring-integration"), "org.springframework");
        assertThat(links.targets()).isNotEmpty();
        assertThat(links.broken(new Jars(classPaths.of(service)))).isEmpty();
    }
}
