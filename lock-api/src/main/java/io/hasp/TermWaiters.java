package io.hasp;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The callers that wait for the next term of one candidate. The monitor of its driver guards them. */
final class TermWaiters {
    private final List<CompletableFuture<Term>> waiting = new ArrayList<>();

    void add(CompletableFuture<Term> waiter) {
        waiting.add(waiter);
    }

    void remove(CompletableFuture<Term> waiter) {
        waiting.removeIf(each -> each == waiter);
    }

    /** They are to be completed outside of the monitor. */
    List<CompletableFuture<Term>> takeAll() {
        List<CompletableFuture<Term>> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }
}
