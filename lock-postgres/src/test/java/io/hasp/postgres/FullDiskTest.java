package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A full disk is an outage, whatever the server does about it. Grants from before survive. Needs the right to mount a disk in memory. */
@Timeout(300)
@InTier(Tier.STANDARD)
class FullDiskTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.NEVER)
    private Path folder;

    @Test
    void a_full_disk_is_an_outage_and_loses_no_grant() throws Exception {
        assumeTrue(
                succeeds("mount", "-t", "tmpfs", "-o", "size=120m,mode=0755", "hasp", folder.toString()),
                "no right to mount");
        try {
            onDisk();
        } finally {
            assertThat(succeeds("umount", "-l", folder.toString())).isTrue();
            Files.delete(folder);
        }
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private void onDisk() throws IOException {
        Path disk = Files.createDirectory(folder.resolve("server"));
        try (PostgresServer server = PostgresServer.startIn(disk);
                TestBackend client = TestBackend.on(server)) {
            Claim before = claim("before");
            Grant grant = client.granted(before);
            Path ballast = fill();
            int[] number = {0};
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> {
                while (true) {
                    client.granted(claim("filling" + number[0]++));
                }
            });
            System.err.println("full after " + number[0] + " grants: " + failure.getMessage());
            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            Files.delete(ballast);
            if (!server.running()) {
                server.restart();
            }
            Renewal renewal = await("a renewal")
                    .atMost(LIMIT)
                    .until(
                            () -> TestBackend.answer(client.backend().renew(List.of(grant)))
                                    .get(0),
                            one -> !(one instanceof Renewal.Unknown));
            assertThat(renewal).isInstanceOf(Renewal.Renewed.class);
            Attempt free = client.acquire(claim("behind"));
            assertThat(free).isInstanceOf(Attempt.Granted.class);
        }
    }

    private static Claim claim(String name) {
        return Claim.renewedLease(new LockName(name), new HolderId("h-" + name), Duration.ofMinutes(9), false);
    }

    /** Leaves no room for another page. */
    private Path fill() throws IOException {
        Path ballast = folder.resolve("ballast");
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(ballast)) {
            while (true) {
                out.write(page);
            }
        } catch (IOException e) {
            return ballast;
        }
    }
}
