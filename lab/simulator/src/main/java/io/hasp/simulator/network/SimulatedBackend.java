package io.hasp.simulator.network;

import io.hasp.ClientTiming;
import io.hasp.simulator.server.Connection;
import io.hasp.simulator.server.ReferenceServer;
import io.hasp.simulator.server.ServerSession;
import io.hasp.simulator.threads.SimulatedProcess;
import io.hasp.simulator.threads.SimulatedThreads;
import io.hasp.simulator.world.Configuration;
import io.hasp.simulator.world.SimulatedError;
import io.hasp.simulator.world.World;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import io.hasp.spi.SignalListener;
import io.hasp.spi.TokenFloor;
import io.hasp.spi.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One client's backend: it sends requests to the reference server over the simulated network. */
public final class SimulatedBackend implements LockBackend, Connection, SimulatedProcess {
    private static final Duration RECALL_AGAIN = Duration.ofMillis(5);
    private static final LockName NO_NAME = new LockName("-");

    /** The state of the connection on which recalls arrive. */
    public enum Subscription {
        LIVE,
        /** It is lost, and neither the client nor the server notices. */
        SILENT,
        /** It is lost, and both sides have noticed. */
        LOST
    }

    /** A part of a request. */
    public enum Part {
        REQUEST,
        ANSWER
    }

    private record Registered(SignalListener listener, ServerSession session, LockName name) {}

    final BackendMonitor monitor;
    private final int index;
    private final World world;
    private final Network network;
    private final SimulatedThreads threads;
    private final ClientTiming timing;
    private final Runnable whenBroken;
    private final Capabilities capabilities;
    private final Map<HolderId, Registered> listeners = new HashMap<>();
    /** The beginning of each transfer in two flights. The client counts the validity of its grant from there. */
    private final Map<HolderId, Long> transferredSince = new HashMap<>();

    private ServerSession session;
    public boolean closed;
    /** The client's process does not run before that. */
    public long pausedUntil;
    /** All messages from and to the client get lost. */
    public boolean cut;

    public Subscription subscription = Subscription.LIVE;
    /** The part of the next request that ends in an error; null for none. */
    @Nullable
    public Part breaksIn;

    /** Requests are answered on the calling thread. A blocking call that is not made in steps needs that. */
    public boolean atOnce;

    public SimulatedBackend(
            int index, Network network, BackendMonitor monitor, ClientTiming timing, Runnable whenBroken) {
        this.index = index;
        this.network = network;
        this.world = network.world;
        this.threads = network.threads;
        this.monitor = monitor;
        this.timing = timing;
        this.whenBroken = whenBroken;
        this.session = network.server.connect(this);
        Capabilities all = Capabilities.of(
                        Capabilities.Ordering.NONE,
                        world.configuration.sessions()
                                ? Capabilities.Enforcement.SESSION
                                : Capabilities.Enforcement.LEASE)
                .sharing()
                .recalling();
        this.capabilities = world.configuration.sessions() ? all : all.retaining();
    }

    public ServerSession session() {
        return session;
    }

    @Override
    public int index() {
        return index;
    }

    /** True while the client's process does not run. */
    public boolean isPaused() {
        return pausedUntil > world.now();
    }

    private void mayBlock() {
        if (!closed) {
            threads.mayBlock(this);
        }
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    private void send(
            ClientRequest.Kind kind,
            LockName name,
            Function<ReferenceServer, ClientRequest.Reply> operation,
            Consumer<BackendFailure> failure) {
        network.send(new ClientRequest(this, kind, name, world.now(), operation, failure));
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        perhapsBreak();
        register(claim, signals);
        RepeatedAnswer<Attempt> repeated =
                world.configuration.broken() && world.choices.oneIn(8) ? new RepeatedAnswer<>() : null;
        CompletableFuture<Attempt> future = repeated == null ? new CompletableFuture<>() : repeated;
        ServerSession mine = session;
        Long transferred = transferredSince.remove(claim.holder());
        if (transferred == null) {
            mayBlock();
        }
        long sentAt = transferred != null ? transferred : world.now();
        send(
                ClientRequest.Kind.ACQUIRE,
                claim.name(),
                server -> {
                    Attempt attempt;
                    try {
                        attempt = network.faults.perhapsOutOfRange(server.acquire(claim, mine));
                    } catch (BackendFailure otherKind) {
                        return new ClientRequest.Reply("another kind", true, false, () -> {
                            monitor.notAnswered(claim, otherKind);
                            future.completeExceptionally(otherKind);
                        });
                    }
                    return new ClientRequest.Reply(
                            world.describe(attempt), false, attempt instanceof Attempt.Busy && !claim.queue(), () -> {
                                monitor.answered(claim, sentAt, attempt);
                                complete(future, heard(attempt));
                                repeat(repeated, () -> monitor.answeredAgain(claim, attempt));
                            });
                },
                why -> {
                    monitor.notAnswered(claim, why);
                    future.completeExceptionally(why);
                    repeat(repeated, () -> {});
                });
        return future;
    }

    private void perhapsBreak() {
        if (breaks(Part.REQUEST)) {
            throw new SimulatedError();
        }
    }

    private boolean breaks(Part part) {
        boolean now = breaksIn == part && !closed;
        if (now) {
            breaksIn = null;
            whenBroken.run();
        }
        return now;
    }

    /** With an error if it is to break. */
    private <T> void complete(CompletableFuture<T> future, T answer) {
        if (breaks(Part.ANSWER)) {
            future.completeExceptionally(new SimulatedError());
        } else {
            future.complete(answer);
        }
    }

    private void repeat(@Nullable RepeatedAnswer<?> answer, Runnable known) {
        if (answer != null && !world.healed()) {
            network.post(new Message.Repetition(this, () -> {
                known.run();
                answer.repeat();
            }));
        }
    }

    private void register(Claim claim, SignalListener signals) {
        listeners.put(claim.holder(), new Registered(signals, session, claim.name()));
        monitor.asks(claim);
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        mayBlock();
        return world.configuration.oneFlight()
                ? transferInOneFlight(from, to, signals)
                : transferInTwoFlights(from, to, signals);
    }

    private Transfer transferInOneFlight(Grant from, Claim to, SignalListener signals) {
        unregister(from.claim().holder());
        register(to, signals);
        OneFlightTransfer transfer =
                new OneFlightTransfer(this, network, from.claim().holder(), to);
        send(ClientRequest.Kind.TRANSFER, to.name(), transfer::serve, transfer::fail);
        return transfer.replies();
    }

    private Transfer transferInTwoFlights(Grant from, Claim to, SignalListener signals) {
        transferredSince.put(to.holder(), world.now());
        Transfer replies = LockBackend.super.transfer(from, to, signals);
        // If the release fails, the second request is not made, and its failure does not say so.
        replies.released().whenComplete((found, why) -> {
            if (why instanceof BackendFailure failure && failure.outcome() == BackendFailure.Outcome.UNKNOWN) {
                monitor.mayBeOnServer(to.holder());
            }
        });
        return replies;
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        perhapsBreak();
        mayBlock();
        threads.engineCode("a renewal");
        CompletableFuture<List<Renewal>> future = new CompletableFuture<>();
        monitor.renews(held);
        List<Integer> interruptions = monitor.interruptions(held);
        send(
                ClientRequest.Kind.RENEW,
                held.get(0).claim().name(),
                server -> {
                    List<Renewal> renewals = new ArrayList<>(held.size());
                    for (Grant grant : held) {
                        renewals.add(network.faults.perhapsUnknown(server.renew(grant)));
                    }
                    return new ClientRequest.Reply(world.trace == null ? "" : renewals.toString(), () -> {
                        List<Duration> before = monitor.outdated(held, interruptions);
                        monitor.renewed(held, renewals);
                        complete(future, renewals);
                        monitor.confirmedNothing(held, before);
                    });
                },
                why -> {
                    monitor.notRenewed(held);
                    future.completeExceptionally(why);
                });
        return future;
    }

    @Override
    public CompletionStage<Released> retain(Claim claim) {
        return release(claim, server -> server.retain(claim));
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return release(claim, server -> server.release(claim.name(), claim.holder()));
    }

    private CompletionStage<Released> release(Claim claim, Function<ReferenceServer, Released> asked) {
        perhapsBreak();
        mayBlock();
        LockName name = claim.name();
        HolderId holder = claim.holder();
        unregister(holder);
        CompletableFuture<Released> future = monitor.releaseReply(name);
        send(
                ClientRequest.Kind.RELEASE,
                name,
                server -> {
                    Released found = asked.apply(server);
                    return new ClientRequest.Reply(world.describe(holder, found), () -> {
                        monitor.released(holder, name, found);
                        complete(future, found);
                    });
                },
                why -> {
                    monitor.notReleased(holder);
                    future.completeExceptionally(why);
                });
        return future;
    }

    private void unregister(HolderId holder) {
        monitor.releases(holder);
        listeners.remove(holder);
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return Optional.of(this::raiseFloor);
    }

    private CompletionStage<Void> raiseFloor(LockName name, long floor) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        raiseFloor(name, floor, world.now() + Configuration.COMMAND_TIMEOUT.toNanos(), future);
        return future;
    }

    /** Again and again, while a client that may keep the lock has not answered; not in a call that must be answered at once. */
    private void raiseFloor(LockName name, long floor, long until, CompletableFuture<Void> future) {
        send(
                ClientRequest.Kind.FLOOR,
                name,
                server -> {
                    boolean raised = server.raiseFloor(name, floor);
                    return new ClientRequest.Reply(raised ? "raised" : "kept", () -> {
                        if (raised) {
                            future.complete(null);
                        } else if (atOnce || world.now() >= until) {
                            failuresExpected();
                            future.completeExceptionally(network.faults.refused);
                        } else {
                            timing.schedule(RECALL_AGAIN, () -> raiseFloor(name, floor, until, future));
                        }
                    });
                },
                future::completeExceptionally);
    }

    /** A client that receives no recalls keeps nothing. */
    Attempt heard(Attempt attempt) {
        return attempt instanceof Attempt.Granted granted && subscription == Subscription.LOST
                ? new Attempt.Granted(granted.grant())
                : attempt;
    }

    @Override
    public boolean recalled(LockName name, HolderId holder) {
        if (subscription == Subscription.LOST) {
            world.countMessageFault();
            return false;
        }
        network.post(new Message.Recall(this, name, holder));
        return true;
    }

    /** A recall for an unknown holder refers to a late grant, so that holder is released. */
    void hearRecall(LockName name, HolderId holder) {
        if (subscription != Subscription.LIVE || closed) {
            world.countMessageFault();
            return;
        }
        if (listeners.containsKey(holder)) {
            hear(holder, Signal.WANTED);
        } else {
            send(
                    ClientRequest.Kind.RELEASE,
                    name,
                    server ->
                            new ClientRequest.Reply(server.release(name, holder).name(), () -> {}),
                    why -> {});
        }
    }

    /** The subscription is lost, or there again. After a noticed loss the client must assume that another one wants each lock. */
    public void subscription(Subscription now) {
        if (now == Subscription.LOST && subscription != Subscription.LOST) {
            subscription = now;
            listening().forEach(holder -> hear(holder, Signal.WANTED));
        }
        subscription = now;
    }

    @Override
    public void close() {
        if (!closed) {
            ServerSession mine = session;
            send(
                    ClientRequest.Kind.CLOSE,
                    NO_NAME,
                    server -> {
                        server.end(mine);
                        return new ClientRequest.Reply("ended", () -> {});
                    },
                    why -> {});
            closed = true;
            network.hangUp(this);
        }
    }

    @Override
    public void expired(ServerSession ended) {
        network.post(new Message.SessionExpired(this, ended));
    }

    @Override
    public void signalled(HolderId holder, Signal signal) {
        network.post(new Message.Notification(this, holder, signal));
    }

    /** The client receives the end of its session. Everything that the session kept is lost. */
    void sessionOver(ServerSession ended) {
        if (ended != session || closed) {
            return;
        }
        session = network.server.connect(this);
        if (!world.configuration.sessions()) {
            return;
        }
        listeners.entrySet().stream()
                .filter(each -> each.getValue().session() == ended)
                .map(Map.Entry::getKey)
                .sorted(HolderIdOrder.OLDEST_FIRST)
                .toList()
                .forEach(holder -> hear(holder, Signal.LOST));
    }

    /** The client receives a signal, if it still listens for that holder. */
    public void hear(HolderId holder, Signal signal) {
        Registered registered = listeners.get(holder);
        if (registered != null && !closed) {
            monitor.signalled(holder, registered.name(), signal);
            registered.listener().onSignal(signal);
            monitor.heard(holder, signal);
        }
    }

    /** The client may see failures from now on. */
    void failuresExpected() {
        world.expectFailures();
    }

    /** The holders for which the client listens to signals, the oldest first. */
    public List<HolderId> listening() {
        return listeners.keySet().stream().sorted(HolderIdOrder.OLDEST_FIRST).toList();
    }
}
