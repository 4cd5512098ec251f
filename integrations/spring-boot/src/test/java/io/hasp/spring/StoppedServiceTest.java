package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A service that gets SIGTERM during its job, and a second process that requests the job's lock all the time. */
@Timeout(120)
@InTier(Tier.STANDARD)
class StoppedServiceTest {
    private static final String LOCKED = "finds it locked";
    private static final String AT_WORK = "has the lock during the job";
    private static final String AFTERWARDS = "has the lock after the job";
    private static final RedisServer REDIS = RedisServer.start();

    @TempDir
    private Path folder;

    @AfterAll
    static void stop() {
        REDIS.close();
    }

    /** The main program of the second process. Arguments: URI, and the file that is there during the job. */
    static final class Second {
        private Second() {}

        public static void main(String[] args) throws InterruptedException {
            try (LockClient client = LockClient.connect(args[0])) {
                Optional<Lease> lease = client.lock(StoppedService.LOCK).tryAcquire();
                System.out.println(lease.isEmpty() ? LOCKED : "finds it free");
                while (lease.isEmpty()) {
                    Thread.sleep(2);
                    lease = client.lock(StoppedService.LOCK).tryAcquire();
                }
                boolean atWork = Files.exists(Path.of(args[1]));
                // Before the answer: the test ends this process.
                lease.get().release();
                System.out.println(atWork ? AT_WORK : AFTERWARDS);
            }
        }
    }

    static Stream<Class<?>> thrice() {
        return IntStream.range(0, 3)
                .boxed()
                .flatMap(round -> Stream.of(StoppedService.OwnScheduler.class, StoppedService.CommonPool.class));
    }

    @ParameterizedTest
    @MethodSource("thrice")
    void the_second_process_has_the_lock_after_the_job(Class<?> configuration) throws Exception {
        Path file = folder.resolve("job");
        Process service =
                start(StoppedService.class, configuration.getName(), "--file=" + file, "--hasp.uri=" + REDIS.uri());
        try (BufferedReader said = service.inputReader()) {
            awaitLine(said, StoppedService.AT_WORK);
            Process second = start(Second.class, REDIS.uri().toString(), file.toString());
            try (BufferedReader answers = second.inputReader()) {
                awaitLine(answers, LOCKED);
                service.destroy();
                assertThat(answers.readLine()).isEqualTo(AFTERWARDS);
            } finally {
                second.destroyForcibly().waitFor();
            }
            // Of SIGTERM.
            assertThat(service.waitFor()).isEqualTo(143);
        } finally {
            service.destroyForcibly().waitFor();
        }
    }

    private static Process start(Class<?> main, String... arguments) throws IOException {
        return new ProcessBuilder(JavaProgram.command(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), main, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitLine(BufferedReader said, String wanted) throws IOException {
        StringBuilder all = new StringBuilder();
        String line;
        do {
            line = said.readLine();
            all.append(line).append('\n');
            assertThat(line).as(all.toString()).isNotNull();
        } while (!line.equals(wanted));
    }
}
