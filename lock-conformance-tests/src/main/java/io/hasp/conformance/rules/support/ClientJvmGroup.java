package io.hasp.conformance.rules.support;

import io.hasp.conformance.history.History;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.LockLoop;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Client processes of one rule, started side by side and ended with it. */
public final class ClientJvmGroup implements AutoCloseable {
    private static final long LIMIT_MINUTES = 2;

    private final List<ClientJvm> clients = new ArrayList<>();

    private ClientJvmGroup() {}

    /** Starts processes named {@code p1}, {@code p2} and so on. */
    public static ClientJvmGroup of(RuleGroup rules, int size) throws Exception {
        ClientJvmGroup group = new ClientJvmGroup();
        List<Callable<ClientJvm>> starts = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            String name = "p" + i;
            starts.add(() -> rules.process(name));
        }
        Throwable failed = null;
        for (Future<ClientJvm> start : InParallel.run(starts)) {
            try {
                group.clients.add(start.get());
            } catch (ExecutionException e) {
                failed = e.getCause();
            }
        }
        if (failed != null) {
            group.close();
            throw failed instanceof Exception exception ? exception : new IllegalStateException(failed);
        }
        return group;
    }

    public List<ClientJvm> clients() {
        return clients;
    }

    public ClientJvm only() {
        return clients.get(0);
    }

    /** Lets all work through a loop and waits for them. */
    public Outcome run(LockLoop loop) throws Exception {
        List<CompletableFuture<Outcome>> running =
                clients.stream().map(client -> client.looping(loop)).toList();
        Outcome sum = Outcome.NONE;
        for (CompletableFuture<Outcome> one : running) {
            sum = sum.plus(one.get(LIMIT_MINUTES, TimeUnit.MINUTES));
        }
        return sum;
    }

    public History history() {
        return History.merge(clients.stream().map(ClientJvm::history).toList());
    }

    @Override
    public void close() {
        clients.forEach(ClientJvm::close);
    }
}
