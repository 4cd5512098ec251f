package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LeaseLostException;
import io.hasp.conformance.InTier;
import io.hasp.conformance.LogLines;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locked methods whose work ends on other threads while the server is dead. */
@Timeout(120)
@InTier(Tier.STANDARD)
class LockedOutageTest {
    private static final int CALLS = 200;

    static class Later {
        @Locked("later/{number}")
        public CompletableFuture<Void> run(@LockKey("number") int number, CompletableFuture<Void> work) {
            return work;
        }
    }

    @Test
    void a_loss_that_only_the_release_finds_reaches_the_caller_of_a_stage() {
        try (RedisServer redis = RedisServer.start()) {
            Boot.withHasp()
                    .withPropertyValues("hasp.uri=" + redis.uri())
                    .withBean(Later.class)
                    .run(context -> {
                        CompletableFuture<Void> work = new CompletableFuture<>();
                        CompletableFuture<Void> stage =
                                context.getBean(Later.class).run(1, work);
                        redis.command("FLUSHALL");
                        work.complete(null);
                        assertThat(stage)
                                .failsWithin(Duration.ofSeconds(10))
                                .withThrowableThat()
                                .withCauseInstanceOf(LeaseLostException.class);
                    });
        }
    }

    @Test
    void many_releases_without_an_answer_are_a_handful_of_lines() {
        try (LogLines log = LogLines.about("later/", "the lock service ");
                RedisServer redis = RedisServer.start()) {
            Boot.withHasp()
                    .withPropertyValues("hasp.uri=" + redis.uri() + "?commandTimeout=500ms", "hasp.close-within=1s")
                    .withBean(Later.class)
                    .run(context -> endsDuringAnOutage(redis, context.getBean(Later.class)));
            assertThat(log.all())
                    .anyMatch(line -> line.contains("could not confirm the release of lock 'later/"))
                    .anyMatch(line -> line.matches(".*could not confirm the release of \\d+ more locks.*"))
                    .hasSizeLessThan(12);
        }
    }

    private static void endsDuringAnOutage(RedisServer redis, Later later) {
        CompletableFuture<Void> work = new CompletableFuture<>();
        List<CompletableFuture<Void>> stages = new ArrayList<>();
        for (int number = 0; number < CALLS; number++) {
            stages.add(later.run(number, work));
        }
        redis.kill();
        work.completeAsync(() -> null);
        stages.forEach(
                stage -> assertThat(stage.handle((done, failure) -> true)).succeedsWithin(Duration.ofSeconds(60)));
    }
}
