package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Results whose work continues, in ways that the method's declaration does not show. */
@Timeout(60)
class LockedResultsTest {
    private static final ApplicationContextRunner MEMORY =
            Boot.withHasp().withPropertyValues("hasp.uri=memory://results");

    static class Base<T> {
        @Locked("result")
        public T run(T result) {
            return result;
        }
    }

    static class OfStages extends Base<CompletableFuture<String>> {}

    static class OfObjects {
        @Locked("result")
        public Object run(Object result) {
            return result;
        }

        @Locked("result")
        public CompletionStage<String> stage(CompletionStage<String> result) {
            return result;
        }
    }

    @Test
    void a_call_that_returns_unfinished_work_and_did_not_say_so_fails() {
        MEMORY.withBean(OfStages.class)
                .run(context -> assertThatIllegalStateException()
                        .isThrownBy(() -> context.getBean(OfStages.class).run(new CompletableFuture<>()))
                        .withMessage(
                                "Base.run(Object) has returned a CompletableFuture, whose work may go on after the lock"
                                        + " was released: it has to declare that it returns one"));
        MEMORY.withBean(OfObjects.class).run(context -> {
            OfObjects objects = context.getBean(OfObjects.class);
            assertThatIllegalStateException()
                    .isThrownBy(() -> objects.run(Mono.never()))
                    .withMessageContaining("has returned a MonoNever");
            assertThat(objects.run("text")).isEqualTo("text");
        });
    }

    /** A stage that can't be had as a future, as its interface allows. */
    static final class Bare<T> extends CompletableFuture<T> {
        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new Bare<>();
        }

        @Override
        public CompletableFuture<T> toCompletableFuture() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void a_stage_that_is_no_future_holds_its_lock_as_well() {
        MEMORY.withBean(OfObjects.class).run(context -> {
            Bare<String> work = new Bare<>();
            CompletionStage<String> result = context.getBean(OfObjects.class).stage(work);
            assertThat(isTaken(context.getBean(LockClient.class))).isTrue();
            work.complete("done");
            assertThat(result.toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(isTaken(context.getBean(LockClient.class))).isFalse();
        });
    }

    private static boolean isTaken(LockClient client) {
        return client.lock("result")
                .tryAcquire()
                .map(free -> {
                    free.close();
                    return false;
                })
                .orElse(true);
    }
}
