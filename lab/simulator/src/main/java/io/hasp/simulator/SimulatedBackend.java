package io.hasp.simulator;

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
final class SimulatedBackend implements LockBackend {
    private static final Duration RECALL_AGAIN = Duration.ofMillis(5);
    private static final LockName NO_NAME = new LockName("-");

    /** What has become of the connection on which recalls arrive. */
    enum Subscription {
        LIVE,
        /** It is lost, and neither the client nor the server knows. */
        SILENT,
        /** It is lost, and both know. */
        LOST
    }

    /** A part of a request. */
    enum Part {
        REQUEST,
        ANSWER
    }

    private record Registered(SignalListener listener, ServerSession session, LockName name) {}

    final int index;
    final BackendMonitor monitor;
    private final SimulationRun run;
    private final Capabilities capabilities;
    private final Map<HolderId, Registered> listeners = new HashMap<>();
    /** When a transfer in two flights began. The client counts the validity of its grant from there. */
    private final Map<HolderId, Long> transferredSince = new HashMap<>();

    private ServerSession session;
    boolean closed;
    /** The client's process does not run before that. */
    long pausedUntil;
    /** Whether all messages from and to the client get lost. */
    boolean cut;
    /** Whether the client hears of recalls. */
    Subscription subscription = Subscription.LIVE;
    /** What of the next request ends in an error; null for none. */
    @Nullable
    Part breaksIn;

    /** Whether requests are answered on the calling thread. A blocking call that is not made in steps needs that. */
    boolean atOnce;

    SimulatedBackend(int index, SimulationRun run) {
        this.index = index;
        this.run = run;
        this.monitor = new BackendMonitor(index, run);
        this.session = run.server.connect(this);
        Capabilities all = Capabilities.of(
                        Capabilities.Ordering.NONE,
                        run.configuration.sessions()
                                ? Capabilities.Enforcement.SESSION
                                : Capabilities.Enforcement.LEASE)
                .sharing()
                .recalling();
        this.capabilities = run.configuration.sessions() ? all : all.retaining();
    }

    ServerSession session() {
        return session;
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
        run.network.send(new ClientRequest(this, kind, name, run.now(), operation, failure));
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        perhapsBreak();
        register(claim, signals);
        RepeatedAnswer<Attempt> repeated =
                run.configuration.broken() && run.choices.oneIn(8) ? new RepeatedAnswer<>() : null;
        CompletableFuture<Attempt> future = repeated == null ? new CompletableFuture<>() : repeated;
        ServerSession mine = session;
        Long transferred = transferredSince.remove(claim.holder());
        if (transferred == null) {
            run.mayBlock(this);
        }
        long sentAt = transferred != null ? transferred : run.now();
        send(
                ClientRequest.Kind.ACQUIRE,
                claim.name(),
                server -> {
                    Attempt attempt;
                    try {
                        attempt = run.network.faults.perhapsOutOfRange(server.acquire(claim, mine));
                    } catch (BackendFailure otherKind) {
                        return new ClientRequest.Reply("another kind", true, false, () -> {
                            monitor.notAnswered(claim, otherKind);
                            future.completeExceptionally(otherKind);
                        });
                    }
                    return new ClientRequest.Reply(
                            run.describe(attempt), false, attempt instanceof Attempt.Busy && !claim.queue(), () -> {
                                monitor.answered(claim, sentAt, attempt);
                                complete(future, heard(attempt));
                                repeat(repeated, () -> run.checks.waits.answered(index, claim, attempt));
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
            owner().breaks();
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
        if (answer != null && !run.healed) {
            run.network.post(new Message.Repetition(this, () -> {
                known.run();
                answer.tellAgain();
            }));
        }
    }

    private void register(Claim claim, SignalListener signals) {
        listeners.put(claim.holder(), new Registered(signals, session, claim.name()));
        monitor.asks(claim);
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        run.mayBlock(this);
        return run.configuration.oneFlight()
                ? transferInOneFlight(from, to, signals)
                : transferInTwoFlights(from, to, signals);
    }

    private Transfer transferInOneFlight(Grant from, Claim to, SignalListener signals) {
        unregister(from.claim().holder());
        register(to, signals);
        OneFlightTransfer transfer =
                new OneFlightTransfer(run, monitor, session, from.claim().holder(), to);
        send(ClientRequest.Kind.TRANSFER, to.name(), transfer::serve, transfer::fail);
        return transfer.replies();
    }

    private Transfer transferInTwoFlights(Grant from, Claim to, SignalListener signals) {
        transferredSince.put(to.holder(), run.now());
        Transfer replies = LockBackend.super.transfer(from, to, signals);
        // If the release fails, the second request is not made, and its failure does not say so.
        replies.released().whenComplete((found, why) -> {
            if (why instanceof BackendFailure failure && failure.outcome() == BackendFailure.Outcome.UNKNOWN) {
                monitor.outstanding.add(to.holder());
            }
        });
        return replies;
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        perhapsBreak();
        run.mayBlock(this);
        run.threads.engineCode("a renewal");
        CompletableFuture<List<Renewal>> future = new CompletableFuture<>();
        monitor.renews(held);
        List<Integer> interruptions = monitor.interruptions(held);
        send(
                ClientRequest.Kind.RENEW,
                held.get(0).claim().name(),
                server -> {
                    List<Renewal> renewals = new ArrayList<>(held.size());
                    for (Grant grant : held) {
                        renewals.add(run.network.faults.perhapsUnknown(server.renew(grant)));
                    }
                    return new ClientRequest.Reply(run.trace == null ? "" : renewals.toString(), () -> {
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
        run.mayBlock(this);
        LockName name = claim.name();
        HolderId holder = claim.holder();
        unregister(holder);
        CompletableFuture<Released> future = monitor.releaseReply(name);
        send(
                ClientRequest.Kind.RELEASE,
                name,
                server -> {
                    Released found = asked.apply(server);
                    return new ClientRequest.Reply(run.describe(holder, found), () -> {
                        monitor.released(holder, name, found);
                        complete(future, found);
                    });
                },
                why -> {
                    monitor.outstanding.notReleased(holder);
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
        raiseFloor(name, floor, run.now() + Configuration.COMMAND_TIMEOUT.toNanos(), future);
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
                        } else if (atOnce || run.now() >= until) {
                            failuresExpected();
                            future.completeExceptionally(run.network.faults.refused);
                        } else {
                            timing().schedule(RECALL_AGAIN, () -> raiseFloor(name, floor, until, future));
                        }
                    });
                },
                future::completeExceptionally);
    }

    private SimulatedTiming timing() {
        return owner().timing;
    }

    private SimulatedClient owner() {
        return run.clients.stream()
                .filter(client -> client.backend == this)
                .findFirst()
                .orElseThrow();
    }

    /** A client that hears of no recalls keeps nothing. */
    Attempt heard(Attempt attempt) {
        return attempt instanceof Attempt.Granted granted && subscription == Subscription.LOST
                ? new Attempt.Granted(granted.grant())
                : attempt;
    }

    /** Another client wants a lock that this one may keep. False if the server finds nobody to tell, which costs the other one a poll. */
    boolean recalled(LockName name, HolderId holder) {
        if (subscription == Subscription.LOST) {
            run.messageFaults++;
            return false;
        }
        run.network.post(new Message.Recall(this, name, holder));
        return true;
    }

    /** A holder that the client does not know any more has a late grant: it is released. */
    void hearRecall(LockName name, HolderId holder) {
        if (subscription != Subscription.LIVE || closed) {
            run.messageFaults++;
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

    /** The subscription is lost, or there again. A client that knows of the loss can't tell who wants a lock. */
    void subscription(Subscription now) {
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
            run.network.hangUp(this);
        }
    }

    /** The server has ended a session, and sends word of it. */
    void expired(ServerSession ended) {
        run.network.post(new Message.SessionExpired(this, ended));
    }

    /** The server sends a signal about a holder. */
    void signalled(HolderId holder, Signal signal) {
        run.network.post(new Message.Notification(this, holder, signal));
    }

    /** The client hears that its session has ended. Everything that the session kept is lost. */
    void sessionOver(ServerSession ended) {
        if (ended != session || closed) {
            return;
        }
        session = run.server.connect(this);
        if (!run.configuration.sessions()) {
            return;
        }
        listeners.entrySet().stream()
                .filter(each -> each.getValue().session() == ended)
                .map(Map.Entry::getKey)
                .sorted(HolderIdOrder.OLDEST_FIRST)
                .toList()
                .forEach(holder -> hear(holder, Signal.LOST));
    }

    /** The client hears a signal, if it still listens for that holder. */
    void hear(HolderId holder, Signal signal) {
        Registered registered = listeners.get(holder);
        if (registered != null && !closed) {
            monitor.signalled(holder, registered.name(), signal);
            registered.listener().onSignal(signal);
            monitor.heard(holder, signal);
        }
    }

    /** The client may see failures from now on. */
    void failuresExpected() {
        run.failuresExpected = true;
    }

    /** The holders for which the client listens to signals, the oldest first. */
    List<HolderId> listening() {
        return listeners.keySet().stream().sorted(HolderIdOrder.OLDEST_FIRST).toList();
    }
}
