package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.spring.autoconfigure.LockHints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.FieldHint;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.aot.AbstractAotProcessor.Settings;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A service whose beans were found out ahead of time, in a process of its own. */
@Timeout(180)
@InTier(Tier.STANDARD)
class AheadOfTimeTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {"--hasp.uri=memory://aot", "--hasp.uri=memory://aot --hasp.clients.ledger.uri=memory://ledger"})
    void it_starts_and_locks(String properties) throws Exception {
        String[] arguments = properties.split(" ");
        Path classes = process(arguments);
        String said = run(classes, arguments);
        assertThat(said).contains("Starting AOT-processed", "lockClient finds it locked");
        assertThat(said.contains("ledgerLockClient finds it free")).as(said).isEqualTo(arguments.length > 1);
    }

    private Path process(String... arguments) throws IOException {
        Path sources = folder.resolve("sources");
        Path classes = Files.createDirectories(folder.resolve("classes"));
        new SpringApplicationAotProcessor(
                        AheadOfTimeService.class,
                        Settings.builder()
                                .sourceOutput(sources)
                                .resourceOutput(classes)
                                .classOutput(classes)
                                .groupId("io.hasp")
                                .artifactId("service")
                                .build(),
                        arguments)
                .process();
        List<String> words =
                new ArrayList<>(List.of("-proc:none", "-nowarn", "-cp", classPath(classes), "-d", classes.toString()));
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(words::add);
        }
        int result =
                ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, words.toArray(String[]::new));
        assertThat(result).isZero();
        return classes;
    }

    private static String classPath(Path classes) {
        return classes + System.getProperty("path.separator") + System.getProperty("java.class.path");
    }

    private String run(Path classes, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(JavaProgram.command(
                List.of("-Dspring.aot.enabled=true", "-Xmx128m"), AheadOfTimeService.class, arguments));
        command.set(command.indexOf("-cp") + 1, classPath(classes));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            process.waitFor();
            return Files.readString(output, StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void what_is_read_and_made_by_name_is_hinted() {
        RuntimeHints hints = new RuntimeHints();
        new LockHints().registerHints(hints, getClass().getClassLoader());
        for (String file : List.of(
                "META-INF/services/io.hasp.spi.LockBackendProvider",
                "io/hasp/redis/script/lock/acquire.lua",
                "io/hasp/redis/script/include/redlock/state.lua")) {
            assertThat(getClass().getClassLoader().getResource(file)).as(file).isNotNull();
            assertThat(RuntimeHintsPredicates.resource().forResource(file))
                    .as(file)
                    .accepts(hints);
        }
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(TypeReference.of("org.springframework.data.redis.connection.RedisConnectionFactory")))
                .accepts(hints);
        for (Class<?> factory : List.of(LettuceConnectionFactory.class, JedisConnectionFactory.class)) {
            assertThat(hints.reflection().getTypeHint(factory))
                    .as(factory.getName())
                    .satisfies(hint -> assertThat(Objects.requireNonNull(hint).fields())
                            .extracting(FieldHint::getName)
                            .containsExactly("configuration"));
            assertThat(factory).hasDeclaredFields("configuration");
        }
    }
}
