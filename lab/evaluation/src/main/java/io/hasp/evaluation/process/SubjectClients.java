package io.hasp.evaluation.process;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.ClientProfile;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.Participant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * The clients of one lock in one process: one for the whole run, and more, independent of it, while a workload needs
 * them.
 */
final class SubjectClients implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int TRIES = 3;
    private static final int MANY_THREADS = 32;

    private final Participant subject;
    private final Environment environment;
    private final List<LockUser> open = new ArrayList<>();

    private SubjectClients(Participant subject, Environment environment) {
        this.subject = subject;
        this.environment = environment;
    }

    static SubjectClients open(Participant subject, Environment environment) throws Exception {
        SubjectClients clients = new SubjectClients(subject, environment);
        clients.open.add(subject.in(environment).open());
        return clients;
    }

    LockUser first() {
        return open.get(0);
    }

    LockUser last() {
        return open.get(open.size() - 1);
    }

    /**
     * Returns the number of threads that take many locks to hold. On Redis it is one: Spring's registry shares local
     * locks between names, and would refuse a thread some names while another holds others.
     */
    int holderThreads() {
        return subject.service() == Service.ZOOKEEPER ? MANY_THREADS : 1;
    }

    /** The clients of a workload's threads: one for all, or one for each. */
    List<LockUser> of(Workload workload) {
        return open.subList(0, workload.clients());
    }

    /** Opens the clients and uses each lock once, so that connections and scripts exist before the measurement. */
    void prepare(Workload workload) throws ExecutionException, InterruptedException {
        try {
            Environment forMore =
                    workload.experiment().clientPerThread() ? environment.on(ClientProfile.ONE_THREAD) : environment;
            while (open.size() < workload.clients()) {
                open.add(subject.in(forMore).open());
            }
            for (LockUser client : of(workload)) {
                for (int thread = 0; thread < workload.threads(); thread++) {
                    use(
                            client,
                            workload.lockName(thread) + "-before",
                            workload.experiment().mode(thread, 0));
                }
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new ExecutionException(e);
        }
    }

    /** Retries: on a busy machine some libraries refuse a free lock, and that is not what is measured here. */
    private static void use(LockUser client, String name, LockMode mode) throws Exception {
        for (int tries = TRIES; tries > 0; tries--) {
            Optional<Hold> hold = client.tryAcquire(name, mode, PATIENCE);
            if (hold.isPresent()) {
                boolean ignored = hold.get().release();
                return;
            }
        }
        throw new IllegalStateException("a free lock was refused " + TRIES + " times");
    }

    void dismiss() throws ExecutionException {
        try {
            while (open.size() > 1) {
                open.remove(open.size() - 1).close();
            }
        } catch (Exception e) {
            throw new ExecutionException(e);
        }
    }

    @Override
    public void close() throws Exception {
        for (LockUser user : open) {
            user.close();
        }
    }
}
