package io.hasp.conformance.rules.support;

import io.hasp.conformance.servers.Server;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.junit.jupiter.api.TestInfo;

/**
 * The servers of an adopter that {@link LendsServers}: a shared one, and spare ones. Each spare server is lent to one
 * rule at a time that {@link DisturbsServer}. Spare servers start when they are needed and are reused. Thread-safe.
 *
 * @param <S> the kind of server
 */
public final class RuleServers<S extends Server> implements AutoCloseable {
    private final Supplier<S> start;
    private final S shared;
    private final Semaphore spares;
    private final Deque<S> idle = new ArrayDeque<>();
    private final List<S> started = new ArrayList<>();

    /**
     * Starts the shared server.
     *
     * @param spares how many servers are lent at the same time at most
     * @param start starts a server
     */
    public RuleServers(int spares, Supplier<S> start) {
        this.start = start;
        this.spares = new Semaphore(spares);
        this.shared = start.get();
    }

    /**
     * Returns the server of rules that do not disturb it.
     *
     * @return always the same
     */
    public S shared() {
        return shared;
    }

    /**
     * Returns the server of a rule; waits while all spare servers are lent.
     *
     * @param rule the rule that begins
     * @return the shared server, or a spare one until {@link #giveBack}
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public S lend(TestInfo rule) throws InterruptedException {
        if (rule.getTestMethod().stream().noneMatch(method -> method.isAnnotationPresent(DisturbsServer.class))) {
            return shared;
        }
        spares.acquire();
        boolean lent = false;
        try {
            S spare = spare();
            lent = true;
            return spare;
        } finally {
            if (!lent) {
                spares.release();
            }
        }
    }

    private S spare() {
        synchronized (idle) {
            if (!idle.isEmpty()) {
                return idle.pop();
            }
        }
        S server = start.get();
        synchronized (idle) {
            started.add(server);
        }
        return server;
    }

    /**
     * Returns a server at the end of its rule; the server must be running.
     *
     * @param server a result of {@link #lend}
     */
    public void giveBack(S server) {
        if (server != shared) {
            synchronized (idle) {
                idle.push(server);
            }
            spares.release();
        }
    }

    /** Ends all servers. */
    @Override
    public void close() {
        shared.close();
        synchronized (idle) {
            started.forEach(Server::close);
        }
    }
}
