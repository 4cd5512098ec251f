package io.hasp.evaluation.process;

import io.hasp.conformance.Hold;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Setting;
import io.hasp.evaluation.servers.Terms;
import io.hasp.evaluation.subject.Contestant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** The clients of one lock in one process: one as every process has it, and strangers beside it where work takes more. */
final class Clients implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int TRIES = 3;

    private final Contestant contestant;
    private final Setting setting;
    private final List<LockUser> open = new ArrayList<>();

    private Clients(Contestant contestant, Setting setting) {
        this.contestant = contestant;
        this.setting = setting;
    }

    static Clients open(Contestant contestant, Setting setting) throws Exception {
        Clients clients = new Clients(contestant, setting);
        clients.open.add(contestant.in(setting).open());
        return clients;
    }

    LockUser first() {
        return open.get(0);
    }

    LockUser last() {
        return open.get(open.size() - 1);
    }

    /** What the threads of a workload use: one for all, unless it has to be one for each. */
    List<LockUser> of(Workload workload) {
        return open.subList(0, workload.clients());
    }

    /** So that connections and scripts are there when it matters. */
    void prepare(Workload workload) throws ExecutionException, InterruptedException {
        try {
            Setting strangers = workload.experiment().clientPerThread() ? setting.on(Terms.ONE_THREAD) : setting;
            while (open.size() < workload.clients()) {
                open.add(contestant.in(strangers).open());
            }
            for (LockUser client : of(workload)) {
                for (int thread = 0; thread < workload.threads(); thread++) {
                    use(client, workload.lockName(thread) + "-before");
                }
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new ExecutionException(e);
        }
    }

    /** More than once if it has to be: some libraries refuse a free lock on a busy machine, which is not what is asked here. */
    private static void use(LockUser client, String name) throws Exception {
        for (int tries = TRIES; tries > 0; tries--) {
            Optional<Hold> hold = client.tryAcquire(name, PATIENCE);
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
