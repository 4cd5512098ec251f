package io.hasp.evaluation.process;

import io.hasp.evaluation.measure.Findings;
import io.hasp.evaluation.measure.Metric;
import io.hasp.evaluation.measure.Safety;
import io.hasp.evaluation.measure.Tally;
import io.hasp.evaluation.measure.ThroughFailover;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.ClientProcess.Command;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.servers.Setting;
import io.hasp.evaluation.servers.Terms;
import io.hasp.evaluation.servers.TrialServers;
import io.hasp.evaluation.subject.Contestant;
import java.io.DataInputStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Experiments of which each round is one trial, with client processes of its own, and servers of its own where it can. */
final class Trials {
    private static final Duration HEADWAY = Duration.ofMillis(20);

    private final Contestant contestant;
    private final Servers servers;

    Trials(Contestant contestant, Servers servers) {
        this.contestant = contestant;
        this.servers = servers;
    }

    Tally run(Workload workload, Duration watched) throws ExecutionException, InterruptedException {
        long begin = System.nanoTime();
        Findings findings;
        try {
            findings = tried(workload, watched);
        } catch (RuntimeException e) {
            passOnInterrupt(e);
            findings = triedAgain(workload, watched);
        }
        return Tally.ofTrial(Duration.ofNanos(System.nanoTime() - begin), new Safety(1, 0, 0, 0), findings);
    }

    private Findings tried(Workload workload, Duration watched) throws ExecutionException, InterruptedException {
        return switch (workload.experiment()) {
            case TAKEOVER -> new Takeover(contestant, servers.setting()).run(workload);
            case FAILOVER -> failover(workload, watched);
            case STOPPED -> stopped(workload, watched);
            case FOOTPRINT -> footprint(workload);
            case UNCONTENDED, DISTINCT, CONTENDED, HANDOFF, WATCHDOG ->
                throw new IllegalArgumentException(workload + " is no trial");
        };
    }

    /** That a server or a process did not come up in time, on a busy machine, says nothing about the lock. */
    private Findings triedAgain(Workload workload, Duration watched) throws ExecutionException, InterruptedException {
        try {
            return tried(workload, watched);
        } catch (RuntimeException e) {
            passOnInterrupt(e);
            throw new ExecutionException(e);
        }
    }

    /** An interrupt while something starts comes as that which did not start. */
    private static void passOnInterrupt(RuntimeException e) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(e.getMessage());
        }
    }

    private Fleet fleet(Setting setting) throws InterruptedException {
        return Fleet.start(1, setting, List.of(contestant.label()));
    }

    private Findings failover(Workload workload, Duration watched) throws ExecutionException, InterruptedException {
        try (TrialServers trial = TrialServers.start(contestant.service());
                Fleet fleet = fleet(trial.setting().on(Terms.SHORT))) {
            ask(fleet, Command.PREPARE, workload, answer -> true);
            long start = System.nanoTime() + HEADWAY.toNanos();
            Future<Findings> working = fleet.ask(
                    client -> client.ask(Command.WORK, contestant.label(), workload, start, watched, Findings::read));
            TimeUnit.NANOSECONDS.sleep(start + ThroughFailover.KILL.toNanos() - System.nanoTime());
            trial.failOver();
            return working.get();
        }
    }

    private Findings stopped(Workload workload, Duration watched) throws ExecutionException, InterruptedException {
        try (TrialServers trial = TrialServers.start(contestant.service());
                Fleet fleet = fleet(trial.setting())) {
            ask(fleet, Command.PREPARE, workload, answer -> true);
            trial.pause();
            try {
                return fleet.ask(client ->
                                client.ask(Command.WORK, contestant.label(), workload, 0, watched, Findings::read))
                        .get();
            } finally {
                trial.resume();
            }
        }
    }

    /** On servers of its own if it can: what others left would vanish meanwhile. */
    private Findings footprint(Workload workload) throws ExecutionException, InterruptedException {
        if (!servers.ours()) {
            return footprint(workload, servers);
        }
        try (Servers own = Servers.start(EnumSet.of(contestant.service()))) {
            return footprint(workload, own);
        }
    }

    private Findings footprint(Workload workload, Servers on) throws ExecutionException, InterruptedException {
        int waiters = Math.min(Waiters.COUNT, workload.locks());
        try (Fleet fleet = fleet(on.setting())) {
            ask(fleet, Command.PREPARE, workload, answer -> true);
            Memory nothing = memory(fleet, workload, on);
            ask(fleet, Command.HOLD, workload, answer -> true);
            Memory held = memory(fleet, workload, on);
            ask(fleet, Command.QUEUE, workload, answer -> true);
            Memory waited = memory(fleet, workload, on);
            // Giving all back is not what was asked.
            fleet.kill();
            Map<Metric, Double> figures = new EnumMap<>(Metric.class);
            figures.put(Metric.CLIENT_BYTES_PER_HELD, (held.client() - nothing.client()) / workload.locks());
            figures.put(Metric.SERVER_BYTES_PER_HELD, (held.server() - nothing.server()) / workload.locks());
            figures.put(Metric.CLIENT_BYTES_PER_WAITER, (waited.client() - held.client()) / waiters);
            figures.put(Metric.SERVER_BYTES_PER_WAITER, (waited.server() - held.server()) / waiters);
            return new Findings(figures);
        }
    }

    private record Memory(double client, double server) {}

    private Memory memory(Fleet fleet, Workload workload, Servers on) throws ExecutionException, InterruptedException {
        double server = on.counters(contestant.service()).bytes();
        return new Memory(ask(fleet, Command.HEAP, workload, DataInputStream::readLong), server);
    }

    private <T> T ask(Fleet fleet, Command command, Workload workload, Client.Reader<T> answer)
            throws ExecutionException, InterruptedException {
        return fleet.ask(client -> client.ask(command, contestant.label(), workload, 0, Duration.ZERO, answer))
                .get();
    }
}
