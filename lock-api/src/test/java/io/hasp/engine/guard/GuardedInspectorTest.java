package io.hasp.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An inspector's faults become failures of the call. */
class GuardedInspectorTest {
    private static final LockName NAME = new LockName("orders/1");
    private static final Inspector.Holder HOLDER = holder(7, 1);

    /** Gives the same answer to every call. */
    private record Answering(Supplier<@Nullable CompletionStage<?>> answer) implements Inspector {
        @Override
        @SuppressWarnings({"unchecked", "NullAway"})
        public CompletionStage<Page> list(String prefix, String cursor) {
            return (CompletionStage<Page>) answer.get();
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"})
        public CompletionStage<Optional<Content>> find(LockName name) {
            return (CompletionStage<Optional<Content>>) answer.get();
        }

        @Override
        @SuppressWarnings({"unchecked", "NullAway"})
        public CompletionStage<Boolean> remove(LockName name, Holder holder) {
            return (CompletionStage<Boolean>) answer.get();
        }
    }

    private static Inspector.Holder holder(long token, int weight) {
        return new Inspector.Holder(
                new HolderId("h"), token, weight, Inspector.State.HELD, "", Optional.empty(), Optional.empty());
    }

    private static Inspector.Content content(String name, int capacity, Inspector.Holder holder, int waiting) {
        Inspector.Waiter waiter = new Inspector.Waiter(new HolderId("w"), 1, "", Optional.empty());
        return new Inspector.Content(
                new LockName(name),
                capacity,
                List.of(holder),
                List.of(waiter),
                waiting,
                holder.token(),
                Instant.EPOCH,
                List.of());
    }

    private static GuardedInspector guarded(Supplier<@Nullable CompletionStage<?>> answer) {
        return new GuardedInspector(new Answering(answer));
    }

    private static GuardedInspector answering(@Nullable Object answer) {
        return guarded(() -> CompletableFuture.completedFuture(answer));
    }

    private static void assertAllFail(GuardedInspector inspector) {
        assertThat(inspector.list("orders/", "")).isCompletedExceptionally();
        assertThat(inspector.find(NAME)).isCompletedExceptionally();
        assertThat(inspector.remove(NAME, HOLDER)).isCompletedExceptionally();
    }

    @Test
    void an_exception_no_stage_and_no_answer_are_failures() {
        assertAllFail(guarded(() -> {
            throw new IllegalStateException("a bug");
        }));
        assertAllFail(guarded(() -> null));
        assertAllFail(answering(null));
    }

    @Test
    void an_answer_that_fits_is_passed_on() {
        Inspector.Content fits = content("orders/1", 1, HOLDER, 1);
        Inspector.Page page = new Inspector.Page(List.of(fits), "next");
        assertThat(answering(page).list("orders/", "")).isCompletedWithValue(page);
        assertThat(answering(Optional.of(fits)).find(NAME)).isCompletedWithValue(Optional.of(fits));
        assertThat(answering(Optional.empty()).find(NAME)).isCompletedWithValue(Optional.empty());
        assertThat(answering(true).remove(NAME, HOLDER)).isCompletedWithValue(true);
    }

    @Test
    void an_answer_about_something_else_or_with_impossible_numbers_is_a_failure() {
        List<Inspector.Content> wrong = List.of(
                content("other/1", 1, HOLDER, 1),
                content("orders/1", 0, HOLDER, 1),
                content("orders/1", 1 << 21, HOLDER, 1),
                content("orders/1", 1, HOLDER, 0),
                content("orders/1", 1, holder(0, 1), 1),
                content("orders/1", 1, holder(1L << 60, 1), 1),
                content("orders/1", 1, holder(7, 2), 1));
        for (Inspector.Content each : wrong) {
            assertThat(answering(Optional.of(each)).find(NAME)).isCompletedExceptionally();
            assertThat(answering(new Inspector.Page(List.of(each), "")).list("orders/", ""))
                    .isCompletedExceptionally();
        }
        assertThat(answering(new Inspector.Page(List.of(), "again")).list("orders/", "again"))
                .as("a listing that does not go on")
                .isCompletedExceptionally();
    }
}
