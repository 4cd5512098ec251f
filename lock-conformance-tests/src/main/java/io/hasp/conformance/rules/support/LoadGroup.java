package io.hasp.conformance.rules.support;

import io.hasp.conformance.history.History;
import io.hasp.conformance.processes.LocalClient;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Clients of one rule that work side by side in this JVM, and end with it. */
public final class LoadGroup implements AutoCloseable {
    private static final long LIMIT_MINUTES = 10;

    private final List<LocalClient> clients = new ArrayList<>();

    private LoadGroup() {}

    public static LoadGroup of(RuleGroup rules, int size) throws Exception {
        LoadGroup group = new LoadGroup();
        for (int i = 1; i <= size; i++) {
            group.clients.add(LocalClient.open("c" + i, rules.subject()));
        }
        return group;
    }

    /** Each client begins each of the loops. */
    public List<CompletableFuture<Outcome>> begin(List<LockLoop> loops) {
        return clients.stream()
                .flatMap(client -> loops.stream().map(client::looping))
                .toList();
    }

    public static Outcome sum(List<CompletableFuture<Outcome>> running) throws Exception {
        Outcome sum = Outcome.NONE;
        for (CompletableFuture<Outcome> one : running) {
            sum = sum.plus(one.get(LIMIT_MINUTES, TimeUnit.MINUTES));
        }
        return sum;
    }

    public History history() {
        return History.merge(clients.stream().map(LocalClient::history).toList());
    }

    @Override
    public void close() throws Exception {
        for (LocalClient client : clients) {
            client.close();
        }
    }
}
