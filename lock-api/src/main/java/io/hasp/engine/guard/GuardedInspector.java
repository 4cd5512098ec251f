package io.hasp.engine.guard;

import static java.util.Objects.requireNonNull;

import io.hasp.engine.lease.FencingTokens;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Share;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Turns an exception, a null or an answer that does not fit into a failed stage, as {@link GuardedBackend} does. */
final class GuardedInspector implements Inspector {
    private final Inspector inspector;

    GuardedInspector(Inspector inspector) {
        this.inspector = inspector;
    }

    @Override
    public CompletionStage<Page> list(String prefix, String cursor) {
        return Answers.guarded(() -> inspector.list(prefix, cursor)).thenApply(page -> {
            require(
                    page != null
                            && (page.next().isEmpty() || !page.next().equals(cursor))
                            && page.locks().stream()
                                    .allMatch(lock -> lock.name().value().startsWith(prefix) && fits(lock)),
                    "a listing of '" + prefix + "'",
                    page);
            return page;
        });
    }

    @Override
    public CompletionStage<Optional<Content>> find(LockName name) {
        return Answers.guarded(() -> inspector.find(name)).thenApply(found -> {
            require(
                    found != null
                            && found.map(lock -> lock.name().equals(name) && fits(lock))
                                    .orElse(true),
                    "a question for lock '" + name + "'",
                    found);
            return found;
        });
    }

    @Override
    public CompletionStage<Boolean> remove(LockName name, Holder holder) {
        return Answers.guarded(() -> inspector.remove(name, holder))
                .thenApply(removed -> requireNonNull(removed, "no answer"));
    }

    private static boolean fits(Content lock) {
        return lock.capacity() >= 1
                && lock.capacity() <= Share.READ_WRITE
                && lock.waiting() >= lock.waiters().size()
                && (lock.newestToken() == 0 || FencingTokens.canCarry(lock.newestToken()))
                && lock.holders().stream().allMatch(holder -> fits(holder, lock))
                && lock.waiters().stream().allMatch(waiter -> weighs(waiter.weight(), lock))
                && lock.nodes().stream()
                        .allMatch(node -> node.holders().stream().allMatch(holder -> fits(holder, lock)));
    }

    private static boolean fits(Holder holder, Content lock) {
        return FencingTokens.canCarry(holder.token()) && weighs(holder.weight(), lock);
    }

    private static boolean weighs(int weight, Content lock) {
        return weight >= 1 && weight <= lock.capacity();
    }

    private static void require(boolean fits, String question, Object answer) {
        if (!fits) {
            throw new IllegalStateException("to " + question + " the backend answered " + answer);
        }
    }
}
