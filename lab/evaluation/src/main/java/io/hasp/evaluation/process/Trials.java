package io.hasp.evaluation.process;

import io.hasp.evaluation.measure.FailoverClients;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.SliceResult;
import io.hasp.evaluation.measure.TrialResult;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProgram.Command;
import io.hasp.evaluation.servers.ClientProfile;
import io.hasp.evaluation.servers.Distance;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.servers.TrialServers;
import io.hasp.evaluation.subject.Participant;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Experiments of which each round is one trial, with client processes of its own. A trial that breaks servers, or reads
 * their memory, starts its own servers.
 */
final class Trials {
    private static final Duration HEADWAY = Duration.ofMillis(20);

    private final Participant subject;
    private final Servers servers;

    Trials(Participant subject, Servers servers) {
        this.subject = subject;
        this.servers = servers;
    }

    /** One round of an experiment. */
    @FunctionalInterface
    interface Trial {
        TrialResult run() throws ExecutionException, InterruptedException;
    }

    /** Once more if a server or a process did not start in time: on a busy machine, that says nothing about the lock. */
    SliceResult run(Trial trial) throws ExecutionException, InterruptedException {
        long begin = System.nanoTime();
        TrialResult found;
        try {
            found = trial.run();
        } catch (RuntimeException e) {
            passOnInterrupt(e);
            found = runAgain(trial);
        }
        return SliceResult.ofTrial(Duration.ofNanos(System.nanoTime() - begin), new Safety(1, 0, 0, 0), found);
    }

    private static TrialResult runAgain(Trial trial) throws ExecutionException, InterruptedException {
        try {
            return trial.run();
        } catch (RuntimeException e) {
            passOnInterrupt(e);
            throw new ExecutionException(e);
        }
    }

    /** An interrupt while a server or process starts arrives as a failure to start. */
    private static void passOnInterrupt(RuntimeException e) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(e.getMessage());
        }
    }

    private ClientProcesses processes(Environment environment) throws InterruptedException {
        return ClientProcesses.start(1, environment, List.of(subject.reference()));
    }

    TrialResult takeOver(Workload workload) throws ExecutionException, InterruptedException {
        return new TakeoverTrial(subject, servers.environment()).run(workload);
    }

    TrialResult failover(Workload workload, Duration watched) throws ExecutionException, InterruptedException {
        try (TrialServers trial = TrialServers.start(subject.service(), servers.topology());
                ClientProcesses processes = processes(trial.environment().on(ClientProfile.SHORT))) {
            ask(processes, Command.PREPARE, workload, answer -> true);
            long start = System.nanoTime() + HEADWAY.toNanos();
            Future<TrialResult> working = processes.ask(client ->
                    client.ask(Command.FAILOVER, subject.label(), workload, start, watched, TrialResult::ofArguments));
            TimeUnit.NANOSECONDS.sleep(start + FailoverClients.KILL.toNanos() - System.nanoTime());
            trial.failOver();
            return working.get();
        }
    }

    TrialResult stoppedServers(Workload workload, Duration watched) throws ExecutionException, InterruptedException {
        try (TrialServers trial = TrialServers.start(subject.service(), servers.topology());
                ClientProcesses processes = processes(trial.environment())) {
            ask(processes, Command.PREPARE, workload, answer -> true);
            trial.pause();
            try {
                return processes
                        .ask(client -> client.ask(
                                Command.CALL_STOPPED, subject.label(), workload, 0, watched, TrialResult::ofArguments))
                        .get();
            } finally {
                trial.resume();
            }
        }
    }

    /**
     * Uses new servers, unless the user runs them: on old ones the remains of other locks would expire during the
     * trial.
     */
    TrialResult footprint(Workload workload) throws ExecutionException, InterruptedException {
        if (!servers.ours()) {
            return footprint(workload, servers);
        }
        try (Servers own = Servers.start(EnumSet.of(subject.service()), servers.topology(), Distance.NONE)) {
            return footprint(workload, own);
        }
    }

    private TrialResult footprint(Workload workload, Servers on) throws ExecutionException, InterruptedException {
        int waiters = Math.min(Waiters.COUNT, workload.locks());
        try (ClientProcesses processes = processes(on.environment())) {
            ask(processes, Command.PREPARE, workload, answer -> true);
            Memory nothing = memory(processes, workload, on);
            ask(processes, Command.HOLD, workload, answer -> true);
            Memory held = memory(processes, workload, on);
            ask(processes, Command.QUEUE, workload, answer -> true);
            Memory waited = memory(processes, workload, on);
            // Killed, because releasing all locks is not measured.
            processes.kill();
            Map<Metric, Double> figures = new EnumMap<>(Metric.class);
            figures.put(Metric.CLIENT_BYTES_PER_HELD, (held.client() - nothing.client()) / workload.locks());
            figures.put(Metric.SERVER_BYTES_PER_HELD, (held.server() - nothing.server()) / workload.locks());
            figures.put(Metric.CLIENT_BYTES_PER_WAITER, (waited.client() - held.client()) / waiters);
            figures.put(Metric.SERVER_BYTES_PER_WAITER, (waited.server() - held.server()) / waiters);
            return new TrialResult(figures);
        }
    }

    private record Memory(double client, double server) {}

    private Memory memory(ClientProcesses processes, Workload workload, Servers on)
            throws ExecutionException, InterruptedException {
        double server = on.counters(subject.service()).bytes();
        return new Memory(ask(processes, Command.HEAP, workload, Trials::number), server);
    }

    private static long number(List<String> answer) {
        return Long.parseLong(answer.get(0));
    }

    private <T> T ask(ClientProcesses processes, Command command, Workload workload, ClientHandle.Reader<T> answer)
            throws ExecutionException, InterruptedException {
        return processes
                .ask(client -> client.ask(command, subject.label(), workload, 0, Duration.ZERO, answer))
                .get();
    }
}
