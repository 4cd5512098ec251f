package io.hasp.evaluation.process;

import io.hasp.evaluation.measure.Entrant;
import io.hasp.evaluation.measure.ServerCounters;
import io.hasp.evaluation.measure.Shift;
import io.hasp.evaluation.measure.Tally;
import io.hasp.evaluation.measure.Usage;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProcess.Command;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.subject.Contestant;
import java.io.DataInputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A lock that takes part in this process and in client processes. */
public final class Team implements Entrant {
    /** Time for a command to reach all processes, so that they begin together. */
    private static final Duration HEADWAY = Duration.ofMillis(20);

    private final Entrant here;
    private final Fleets fleets;
    private final ServerCounters counters;
    private final Trials trials;

    /**
     * A lock in several processes.
     *
     * @param here the lock in this process
     * @param fleets the client processes
     * @param contestant which lock it is
     * @param servers what it works on, unless a trial has to have its own
     */
    public Team(Entrant here, Fleets fleets, Contestant contestant, Servers servers) {
        this.here = here;
        this.fleets = fleets;
        this.counters = servers.counters(contestant.service());
        this.trials = new Trials(contestant, servers);
    }

    @Override
    public String subject() {
        return here.subject();
    }

    @Override
    public Tally work(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        return switch (workload.experiment()) {
            case WATCHDOG -> watch(workload, slice);
            case TAKEOVER, FAILOVER, STOPPED, FOOTPRINT -> trials.run(workload, slice);
            case HANDOFF -> workload.threads() == 1 ? together(workload, slice) : amongStrangers(workload, slice);
            case UNCONTENDED, DISTINCT, CONTENDED ->
                workload.processes() == 1 ? here.work(workload, slice) : together(workload, slice);
        };
    }

    /** Clients that this one workload needs are not kept for the others. */
    private Tally amongStrangers(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        try {
            askAll(Command.PREPARE, workload);
            return together(workload, slice);
        } finally {
            askAll(Command.DISMISS, workload);
        }
    }

    private void askAll(Command command, Workload workload) throws ExecutionException, InterruptedException {
        fleets.common()
                .each(
                        workload.processes(),
                        client -> client.ask(command, subject(), workload, 0, Duration.ZERO, answer -> true));
    }

    private Tally together(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        Fleet fleet = fleets.common();
        double before = counters.commands();
        long start = System.nanoTime() + HEADWAY.toNanos();
        List<Shift> shifts = fleet.each(
                workload.processes(),
                client -> client.ask(Command.WORK, subject(), workload, start, slice, Shift::read));
        return Tally.of(slice, shifts, new Usage(counters.commands() - before, Double.NaN, Double.NaN));
    }

    /** In a process that has nothing else to do. */
    private Tally watch(Workload workload, Duration slice) throws ExecutionException, InterruptedException {
        Fleet alone = fleets.of(subject());
        ask(alone, Command.HOLD, workload, answer -> true);
        long client = ask(alone, Command.CPU, workload, DataInputStream::readLong);
        double servers = counters.cpuNanos();
        long begin = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(slice.toNanos());
        Duration watched = Duration.ofNanos(System.nanoTime() - begin);
        Usage usage = new Usage(
                Double.NaN,
                ask(alone, Command.CPU, workload, DataInputStream::readLong) - client,
                counters.cpuNanos() - servers);
        ask(alone, Command.DROP, workload, answer -> true);
        return Tally.ofWatching(watched, workload.locks(), usage);
    }

    private <T> T ask(Fleet alone, Command command, Workload workload, Client.Reader<T> answer)
            throws ExecutionException, InterruptedException {
        return alone.each(1, client -> client.ask(command, subject(), workload, 0, Duration.ZERO, answer))
                .get(0);
    }
}
