package io.hasp.simulator.clients;

import io.hasp.ClientClosedException;
import io.hasp.ElectionOptions;
import io.hasp.LeaderChange;
import io.hasp.LeaderElection;
import io.hasp.Term;
import io.hasp.simulator.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stands in elections: it joins one, leads, resigns and closes. */
public final class SimulatedCandidate implements Participant {
    private static final Duration PAUSE = Duration.ofSeconds(3);

    private final SimulatedClient client;
    private final World world;
    private final ClientMonitor monitor;
    /** The holder of the lock, for the checks. */
    private final SimulatedCaller holder;

    private @Nullable LeaderElection election;
    private @Nullable SimulatedWork work;
    private boolean closed;

    SimulatedCandidate(SimulatedClient client, int index) {
        this.client = client;
        this.world = client.world;
        this.monitor = client.monitor;
        this.holder = new SimulatedCaller(client, index);
    }

    /** True if that election has one leader, or no candidate. */
    public static boolean hasOneLeader(List<SimulatedClient> clients, int name) {
        List<SimulatedCandidate> standing = clients.stream()
                .flatMap(client -> client.participants.stream())
                .map(SimulatedCandidate.class::cast)
                .filter(candidate -> candidate.stands() && candidate.holder.name == name)
                .toList();
        return standing.isEmpty()
                || standing.stream().filter(SimulatedCandidate::leads).count() == 1;
    }

    private boolean stands() {
        return election != null && !closed && !client.closing;
    }

    private boolean leads() {
        LeaderElection mine = election;
        return mine != null && mine.isLeader();
    }

    @Override
    public boolean act() {
        LeaderElection mine = election;
        if (mine == null) {
            join();
        } else if (mine.isLeader()) {
            lead(mine);
        } else if (working()) {
            Objects.requireNonNull(work).end(world.choices.oneIn(2));
        } else if (isDone()) {
            election = null;
        } else {
            return !closed && world.choices.oneIn(8) && close(mine);
        }
        return true;
    }

    private void join() {
        holder.name = world.choices.below(world.configuration.names());
        closed = false;
        work = null;
        ElectionOptions options =
                ElectionOptions.defaults().label(holder.toString()).pause(PAUSE);
        LeaderElection joined = client.driver.client().election(world.name(holder.name), options);
        holder.note("joins election " + world.name(holder.name));
        election = joined;
        joined.onChange(Runnable::run, change -> changed(joined, change));
        try {
            if (world.choices.oneIn(3)) {
                joined.join();
            } else {
                work = new SimulatedWork(holder, client.workThreads, PAUSE);
                joined.run(work);
            }
        } catch (ClientClosedException e) {
            election = null;
            holder.expected(e, client.closing);
        }
    }

    private boolean working() {
        return work != null && work.runs();
    }

    private void lead(LeaderElection mine) {
        int what = world.choices.below(working() ? 14 : 8);
        switch (what) {
            case 0, 1, 2 -> {
                resign(mine);
                mustStop();
            }
            case 3 -> close(mine);
            case 8 -> Objects.requireNonNull(work).calls(() -> resign(mine));
            case 9 -> Objects.requireNonNull(work).calls(() -> beginClosing(mine));
            case 10, 11, 12, 13 -> Objects.requireNonNull(work).end(what > 11);
            default -> look();
        }
    }

    private void resign(LeaderElection mine) {
        holder.note("resigns");
        boolean led = mine.resign();
        if (!led || mine.isLeader()) {
            throw world.violated("a resignation ends the term", holder + ": " + led + ", " + mine);
        }
    }

    private void mustStop() {
        if (work != null) {
            work.mustStop();
        }
    }

    private boolean close(LeaderElection mine) {
        beginClosing(mine);
        mustStop();
        return true;
    }

    private void beginClosing(LeaderElection mine) {
        holder.note("leaves the election");
        closed = true;
        client.driver.beginClosing(mine);
        if (mine.isLeader()) {
            throw world.violated("a close ends the term", holder + ": " + mine);
        }
    }

    private void changed(LeaderElection mine, LeaderChange change) {
        Term term = change.term();
        holder.note("is told " + change);
        if (change instanceof LeaderChange.Elected) {
            if (work != null) {
                work.elected();
            }
            TrackedLease begun = monitor.given(holder, client.driver.leaseOf(term));
            begun.leads = () -> mine.term().filter(term::equals).isPresent();
            holder.tracked = begun;
            holder.phase = SimulatedCaller.Phase.HOLDING;
            monitor.look(begun);
        } else if (!term.ended() || mine.term().filter(term::equals).isPresent()) {
            throw world.violated("a term has ended for all who look", holder + " was told " + change + " of " + mine);
        } else {
            holder.tracked = null;
            holder.phase = SimulatedCaller.Phase.IDLE;
        }
    }

    @Override
    public void look() {
        TrackedLease present = holder.tracked;
        if (leads() && (present == null || present.remaining().isZero())) {
            throw world.violated("a leader holds its lock", holder + ": " + election);
        }
        if (present != null) {
            monitor.look(present);
        }
        LeaderElection mine = election;
        if (mine != null && closed && !working() && client.driver.answered() && !client.driver.ended(mine)) {
            throw world.violated("a close ends", holder + " has nothing to wait for, and has not left " + mine);
        }
    }

    @Override
    public void heal() {
        if (work != null) {
            work.heal();
        }
    }

    /** It leads once more, and leaves. */
    @Override
    public void finish() {
        LeaderElection mine = election;
        if (mine != null && !closed && mine.isLeader()) {
            close(mine);
        }
    }

    @Override
    public boolean mayUse(int name) {
        return election != null && holder.name == name;
    }

    @Override
    public boolean isDone() {
        LeaderElection mine = election;
        boolean ended = mine == null || client.driver.ended(mine);
        if (ended && holder.tracked != null) {
            throw world.violated("the end of a term is told", holder + " leads by " + holder.tracked.lease);
        }
        return ended;
    }

    @Override
    public long state() {
        long phase = election == null ? 0 : closed ? 1 : leads() ? 2 : 3;
        return phase + 4L * holder.name + 16L * (work == null ? 3 : work.state());
    }
}
