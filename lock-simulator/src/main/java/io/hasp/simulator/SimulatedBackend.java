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

/** One client's way to the reference server, over the network. */
final class SimulatedBackend implements LockBackend {
    private static final LockName NO_NAME = new LockName("-");
    private static final long TOO_LATE = Duration.ofMillis(10).toNanos();

    private record Registered(SignalListener listener, ServerSession session, LockName name) {}

    final int index;
    private final Network network;
    private final InvariantChecks checks;
    private final Capabilities capabilities;
    private final Map<HolderId, Registered> listeners = new HashMap<>();
    /** When a transfer in two flights began: the client counts its grant from there. */
    private final Map<HolderId, Long> transferredSince = new HashMap<>();

    final PendingSignals pendingSignals = new PendingSignals();
    final OutstandingReleases outstanding = new OutstandingReleases();
    private ServerSession session;
    boolean closed;
    /** The process does not run before that. */
    long pausedUntil;
    /** Nothing that it sends or that is sent to it arrives. */
    boolean cut;
    /** It broke off in the midst of a step: it gives back more than it knows of. */
    boolean ranOutOfMemory;
    /** What it asks is answered on the calling thread: a call that blocks can't be made in steps otherwise. */
    boolean atOnce;

    SimulatedBackend(int index, Network network, InvariantChecks checks) {
        this.index = index;
        this.network = network;
        this.checks = checks;
        this.session = network.server.connect(this);
        this.capabilities = Capabilities.of(
                Capabilities.Ordering.NONE,
                network.configuration.sessions() ? Capabilities.Enforcement.SESSION : Capabilities.Enforcement.LEASE);
    }

    ServerSession session() {
        return session;
    }

    @Override
    public Capabilities capabilities() {
        return capabilities;
    }

    @Override
    public CompletionStage<Attempt> acquire(Claim claim, SignalListener signals) {
        asks(claim, signals);
        CompletableFuture<Attempt> future = new CompletableFuture<>();
        ServerSession mine = session;
        Long transferred = transferredSince.remove(claim.holder());
        long sentAt = transferred != null ? transferred : network.now();
        network.send(new ClientRequest(
                this,
                ClientRequest.Kind.ACQUIRE,
                claim.name(),
                network.now(),
                server -> {
                    Attempt attempt = network.brokenOr(server.acquire(claim, mine));
                    return new ClientRequest.Answer(words(attempt), () -> {
                        answered(claim, sentAt, attempt);
                        future.complete(attempt);
                    });
                },
                why -> {
                    failed(claim, why);
                    future.completeExceptionally(why);
                }));
        return future;
    }

    @Override
    public Transfer transfer(Grant from, Claim to, SignalListener signals) {
        if (!network.configuration.oneFlight()) {
            transferredSince.put(to.holder(), network.now());
            Transfer answers = LockBackend.super.transfer(from, to, signals);
            // It did not ask then, but what it answers does not say so.
            answers.released().whenComplete((found, why) -> {
                if (why instanceof BackendFailure failure && failure.outcome() == BackendFailure.Outcome.UNKNOWN) {
                    outstanding.mayHave(to.holder());
                }
            });
            return answers;
        }
        HolderId before = from.claim().holder();
        releases(before);
        asks(to, signals);
        CompletableFuture<Released> released = new CompletableFuture<>();
        checks.waits.releases(index, to.name(), 1);
        released.whenComplete((found, why) -> checks.waits.releases(index, to.name(), -1));
        CompletableFuture<Attempt> attempted = new CompletableFuture<>();
        ServerSession mine = session;
        long sentAt = network.now();
        Consumer<BackendFailure> notReleased = why -> {
            outstanding.mayHave(before);
            released.completeExceptionally(why);
        };
        Consumer<BackendFailure> notAttempted = why -> {
            failed(to, why);
            attempted.completeExceptionally(why);
        };
        network.send(new ClientRequest(
                this,
                ClientRequest.Kind.TRANSFER,
                to.name(),
                network.now(),
                server -> {
                    Released found = server.release(to.name(), before);
                    Attempt attempt = network.brokenOr(server.acquire(to, mine));
                    return new ClientRequest.Answer(
                            found + " and " + words(attempt),
                            network.halves(
                                    () -> {
                                        heard(before, from.claim().name(), found);
                                        released.complete(found);
                                    },
                                    notReleased,
                                    () -> {
                                        answered(to, sentAt, attempt);
                                        attempted.complete(attempt);
                                    },
                                    notAttempted));
                },
                why -> network.halves(
                                () -> notReleased.accept(why),
                                notReleased,
                                () -> notAttempted.accept(why),
                                notAttempted)
                        .run()));
        return new Transfer(released, attempted);
    }

    @Override
    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        CompletableFuture<List<Renewal>> future = new CompletableFuture<>();
        held.forEach(grant -> pendingSignals.renews(grant.claim().holder()));
        network.send(new ClientRequest(
                this,
                ClientRequest.Kind.RENEW,
                held.get(0).claim().name(),
                network.now(),
                server -> {
                    List<Renewal> renewals = new ArrayList<>(held.size());
                    for (Grant grant : held) {
                        renewals.add(network.doubtful(server.renew(grant)));
                    }
                    return new ClientRequest.Answer(network.tracing() ? renewals.toString() : "", () -> {
                        renewed(held, renewals);
                        future.complete(renewals);
                    });
                },
                why -> {
                    held.forEach(grant -> pendingSignals.renewed(grant.claim().holder()));
                    future.completeExceptionally(why);
                }));
        return future;
    }

    @Override
    public CompletionStage<Released> release(Claim claim) {
        return release(claim.name(), claim.holder());
    }

    private CompletionStage<Released> release(LockName name, HolderId holder) {
        releases(holder);
        CompletableFuture<Released> future = new CompletableFuture<>();
        checks.waits.releases(index, name, 1);
        future.whenComplete((found, why) -> checks.waits.releases(index, name, -1));
        network.send(new ClientRequest(
                this,
                ClientRequest.Kind.RELEASE,
                name,
                network.now(),
                server -> {
                    Released found = server.release(name, holder);
                    return new ClientRequest.Answer(words(holder, found), () -> {
                        heard(holder, name, found);
                        future.complete(found);
                    });
                },
                why -> {
                    outstanding.mayHave(holder);
                    future.completeExceptionally(why);
                }));
        return future;
    }

    private void heard(HolderId holder, LockName name, Released found) {
        checks.ends.found(holder, found);
        if (found == Released.RELEASED) {
            // The server says that it was held until then.
            checks.waits.held(index, SimulatedClient.nameOf(name.value()));
        } else {
            checks.waits.foundNothing(index, name, holder);
        }
    }

    @Override
    public Optional<TokenFloor> tokenFloor() {
        return Optional.of((name, floor) -> {
            CompletableFuture<Void> future = new CompletableFuture<>();
            network.send(new ClientRequest(
                    this,
                    ClientRequest.Kind.FLOOR,
                    name,
                    network.now(),
                    server -> {
                        server.raiseFloor(name, floor);
                        return new ClientRequest.Answer("raised", () -> future.complete(null));
                    },
                    future::completeExceptionally));
            return future;
        });
    }

    @Override
    public void close() {
        if (!closed) {
            ServerSession mine = session;
            network.send(new ClientRequest(
                    this,
                    ClientRequest.Kind.CLOSE,
                    NO_NAME,
                    network.now(),
                    server -> {
                        server.end(mine);
                        return new ClientRequest.Answer("ended", () -> {});
                    },
                    why -> {}));
            closed = true;
            network.hangUp(this);
        }
    }

    /** The server has ended a session: it says so, if it gets through. */
    void expired(ServerSession ended) {
        network.post(new Message.SessionOver(this, ended));
    }

    /** The server has news about a holder. */
    void signalled(HolderId holder, Signal signal) {
        network.post(new Message.News(this, holder, signal));
    }

    /** Hears that its session is over: all that it had, it has no more. */
    void sessionOver(ServerSession ended) {
        if (ended != session || closed) {
            return;
        }
        session = network.server.connect(this);
        if (!network.configuration.sessions()) {
            return;
        }
        listeners.entrySet().stream()
                .filter(each -> each.getValue().session() == ended)
                .map(Map.Entry::getKey)
                .sorted(HolderIdOrder.OLDEST_FIRST)
                .toList()
                .forEach(holder -> hear(holder, Signal.LOST));
    }

    void hear(HolderId holder, Signal signal) {
        Registered registered = listeners.get(holder);
        if (registered != null && !closed) {
            if (signal == Signal.MAYBE_FREE) {
                pendingSignals.heard(holder);
            }
            if (signal == Signal.RESTORED) {
                pendingSignals.restored(holder);
            }
            if (signal == Signal.LOST) {
                checks.waits.held(
                        index, SimulatedClient.nameOf(registered.name().value()));
            }
            registered.listener().onSignal(signal);
            if (signal == Signal.LOST) {
                checks.leases.denied(holder);
            } else if (signal == Signal.SUSPECT) {
                checks.leases.suspected(holder);
            }
        }
    }

    private void asks(Claim claim, SignalListener signals) {
        listeners.put(claim.holder(), new Registered(signals, session, claim.name()));
        checks.leases.asks(claim.holder());
        if (claim.queue()) {
            pendingSignals.asks(claim.holder());
        }
    }

    private void answered(Claim claim, long sentAt, Attempt attempt) {
        if (attempt instanceof Attempt.Granted granted
                && network.now() - sentAt >= granted.grant().validity().toNanos() - TOO_LATE) {
            // A grant that comes too late to be of use counts as a failure.
            failing();
        }
        checks.waits.answered(index, claim, attempt);
        pendingSignals.answered(claim.holder());
        if (attempt instanceof Attempt.Granted || (attempt instanceof Attempt.Busy && claim.queue())) {
            outstanding.mayHave(claim.holder());
        } else {
            outstanding.settled(claim.holder());
        }
        boolean lostSince = checks.leases.wasLostSinceReply(claim.holder());
        boolean lost = attempt instanceof Attempt.Granted && (checks.leases.isLost(claim.holder()) || lostSince);
        if (lost || attempt instanceof Attempt.Gone) {
            checks.waits.asksAnew(index, claim.name());
        }
        if (!(attempt instanceof Attempt.Busy)) {
            pendingSignals.forget(claim.holder());
        }
    }

    private void renewed(List<Grant> held, List<Renewal> renewals) {
        for (int i = 0; i < held.size(); i++) {
            pendingSignals.renewed(held.get(i).claim().holder());
            if (renewals.get(i) instanceof Renewal.Lost) {
                Claim claim = held.get(i).claim();
                checks.waits.held(index, SimulatedClient.nameOf(claim.name().value()));
                checks.leases.denied(claim.holder());
            }
        }
    }

    private void failed(Claim claim, BackendFailure why) {
        pendingSignals.forget(claim.holder());
        if (why.outcome() == BackendFailure.Outcome.UNKNOWN) {
            outstanding.mayHave(claim.holder());
        }
    }

    private void releases(HolderId holder) {
        if (!outstanding.released(holder) && !ranOutOfMemory) {
            throw checks.ends.releasedInVain(index, holder);
        }
        checks.ends.withdrawn(index, holder);
        listeners.remove(holder);
        pendingSignals.forget(holder);
    }

    void failing() {
        network.failing = true;
    }

    /** Whoever it would tell about. */
    List<HolderId> listening() {
        return listeners.keySet().stream().sorted(HolderIdOrder.OLDEST_FIRST).toList();
    }

    static BackendFailure failure(BackendFailure.Kind kind, BackendFailure.Outcome outcome) {
        return new BackendFailure(kind, outcome, "simulated: " + kind + ", " + outcome, null);
    }

    private String words(Attempt attempt) {
        if (!network.tracing()) {
            return "";
        }
        if (attempt instanceof Attempt.Granted granted) {
            return network.holder(granted.grant().claim().holder()) + " is granted token "
                    + granted.grant().token();
        }
        return attempt instanceof Attempt.Busy ? "busy" : "gone";
    }

    private String words(HolderId holder, Released found) {
        return network.tracing() ? network.holder(holder) + ": " + found : "";
    }
}
