package io.hasp.evaluation.process;

import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.evaluation.measure.Axis;
import io.hasp.evaluation.measure.ConnectedSubject;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.ExperimentRunner;
import io.hasp.evaluation.measure.ResourceUsage;
import io.hasp.evaluation.measure.ServerCounters;
import io.hasp.evaluation.measure.SliceLog;
import io.hasp.evaluation.measure.SliceResult;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProgram.Command;
import io.hasp.evaluation.servers.Distance;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.subject.Participant;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A connected lock, in client processes. */
public final class MultiProcessSubject implements ConnectedSubject, ExperimentRunner {
    /** Time for a command to reach all processes, so that they begin together. */
    private static final Duration HEADWAY = Duration.ofMillis(20);

    private final Participant subject;
    private final Set<Claimed> claims;
    private final Servers servers;
    private final ProcessPool pool;
    private final ServerCounters counters;
    private final Trials trials;
    private final Predicate<Experiment> experiments;
    private @Nullable ClientProcesses rested;

    /**
     * A lock in several processes.
     *
     * @param pool the client processes
     * @param subject which lock it is
     * @param servers its servers, unless a trial starts its own
     * @param experiments which of the experiments that it can do it does
     */
    public MultiProcessSubject(
            ProcessPool pool, Participant subject, Servers servers, Predicate<Experiment> experiments) {
        this.subject = subject;
        this.claims = subject.in(servers.environment()).claims();
        this.servers = servers;
        this.pool = pool;
        this.counters = servers.counters(subject.service());
        this.trials = new Trials(subject, servers);
        this.experiments = experiments;
    }

    @Override
    public String subject() {
        return subject.label();
    }

    @Override
    public Set<Claimed> claims() {
        return claims;
    }

    @Override
    public boolean takesPart(Workload workload) {
        return ConnectedSubject.super.takesPart(workload) && experiments.test(workload.experiment());
    }

    @Override
    public SliceResult work(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        if (workload.axis() == Axis.ROUND_TRIP) {
            servers.move(Distance.ofRoundTrip(workload.at()));
        }
        return workload.experiment().procedure().measure(this, workload, slice);
    }

    @Override
    public SliceResult closedLoop(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        if (workload.processes() == 1) {
            return counted(
                    slice,
                    start -> pool.common()
                            .single(client -> client.ask(
                                    Command.WORK, subject(), workload, start, slice, SliceLog::ofArguments)));
        }
        return workload.clients() == 1 ? together(workload, slice) : withMoreClients(workload, slice);
    }

    /** The first process is the owner, the second the other one. */
    @Override
    public SliceResult inTurn(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        ClientProcesses processes = pool.common();
        String port = ask(processes, Command.LISTEN, workload, answer -> answer.get(0));
        return counted(
                slice,
                start -> processes.both(
                        owner -> owner.ask(
                                Command.WORK_AS_OWNER, subject(), workload, start, slice, SliceLog::ofArguments),
                        other -> other.ask(
                                Command.WORK_AS_OTHER,
                                subject(),
                                workload,
                                start,
                                slice,
                                SliceLog::ofArguments,
                                port)));
    }

    /** The work of processes that began together. */
    private interface Work {
        List<SliceLog> from(long start) throws ExecutionException, InterruptedException;
    }

    private SliceResult counted(Duration slice, Work work) throws ExecutionException, InterruptedException {
        ResourceUsage before = counters.total();
        List<SliceLog> logs = work.from(System.nanoTime() + HEADWAY.toNanos());
        return SliceResult.of(slice, logs, counters.total().since(before));
    }

    @Override
    public SliceResult takeOver(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        return trials.run(() -> trials.takeOver(workload));
    }

    @Override
    public SliceResult failover(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        return trials.run(() -> trials.failover(workload, slice));
    }

    @Override
    public SliceResult stoppedServers(Workload workload, Duration slice)
            throws ExecutionException, InterruptedException {
        return trials.run(() -> trials.stoppedServers(workload, slice));
    }

    @Override
    public SliceResult footprint(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        return trials.run(() -> trials.footprint(workload));
    }

    /** Opens the clients that only this workload needs, and closes them after it. */
    private SliceResult withMoreClients(Workload workload, Duration slice)
            throws ExecutionException, InterruptedException {
        try {
            askAll(Command.PREPARE, workload);
            return together(workload, slice);
        } finally {
            askAll(Command.DISMISS, workload);
        }
    }

    private void askAll(Command command, Workload workload) throws ExecutionException, InterruptedException {
        pool.common()
                .each(
                        workload.processes(),
                        client -> client.ask(command, subject(), workload, 0, Duration.ZERO, answer -> true));
    }

    private SliceResult together(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        ClientProcesses processes = pool.common();
        return counted(
                slice,
                start -> processes.each(
                        workload.processes(),
                        client -> client.ask(Command.WORK, subject(), workload, start, slice, SliceLog::ofArguments)));
    }

    /** In a process that does nothing else. */
    @Override
    public SliceResult heldLocks(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        ClientProcesses alone = pool.of(subject.reference());
        ask(alone, Command.HOLD, workload, answer -> true);
        rest(alone, slice);
        long client = ask(alone, Command.CPU, workload, MultiProcessSubject::number);
        ResourceUsage before = counters.total();
        long begin = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(slice.toNanos());
        Duration watched = Duration.ofNanos(System.nanoTime() - begin);
        ResourceUsage usage = counters.total()
                .since(before)
                .ofClients(ask(alone, Command.CPU, workload, MultiProcessSubject::number) - client, Double.NaN);
        ask(alone, Command.DROP, workload, answer -> true);
        return SliceResult.ofWatching(watched, workload.locks(), usage);
    }

    /** For what a process, above all a new one, and servers still do after so many locks were taken: to compile, and to write. */
    private void rest(ClientProcesses alone, Duration slice) throws InterruptedException {
        Duration rest =
                alone == rested ? slice.dividedBy(4) : slice.multipliedBy(3).dividedBy(2);
        TimeUnit.NANOSECONDS.sleep(rest.toNanos());
        rested = alone;
    }

    private static long number(List<String> answer) {
        return Long.parseLong(answer.get(0));
    }

    private <T> T ask(ClientProcesses alone, Command command, Workload workload, ClientHandle.Reader<T> answer)
            throws ExecutionException, InterruptedException {
        return alone.each(1, client -> client.ask(command, subject(), workload, 0, Duration.ZERO, answer))
                .get(0);
    }
}
