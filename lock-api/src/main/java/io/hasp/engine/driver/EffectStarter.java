package io.hasp.engine.driver;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.engine.lease.Timed;
import io.hasp.engine.machine.Effect;
import io.hasp.engine.machine.Event;
import io.hasp.engine.threads.LosslessExecutor;
import io.hasp.engine.threads.RequestExecutor;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Starts single effects of one name: requests, timers, completions and notifications. An effect that can't be started ends the client; only
 * notifications are started after that. Effects run no user code and do not block, except on a thread that calls an executor of the
 * program: see {@link #callsPool}.
 */
final class EffectStarter {
    private final SharedServices services;
    private final RenewalTimer renewals;
    private final LeaseMachine events;
    private final BackendRequests requests;

    /** Starts effects of one name; events go to its driver. */
    EffectStarter(SharedServices services, RenewalTimer renewals, LeaseMachine events) {
        this.services = services;
        this.renewals = renewals;
        this.events = events;
        this.requests = new BackendRequests(services, events::apply);
    }

    /** True if the effect reaches no user code and no executor of the program. */
    static boolean unnoticed(Effect effect) {
        return effect instanceof Effect.Wake || effect instanceof Effect.Renew;
    }

    /** Notifications are started although the client has failed. */
    private static boolean news(Effect effect) {
        return effect instanceof Effect.Report
                || effect instanceof Effect.Notify
                || effect instanceof Effect.CompleteRelease
                || effect instanceof Effect.FailRelease;
    }

    /** True if the effect calls the pool for requests of callers that do not block, or the pool for callbacks. */
    boolean callsPool(Effect effect) {
        if (effect instanceof Effect.Acquire e) {
            return e.contender().executor.equals(services.pool);
        } else if (effect instanceof Effect.Release e) {
            return releaseCall(e.lease()).executor.equals(services.pool);
        } else if (effect instanceof Effect.Transfer e) {
            return releaseCall(e.from()).executor.equals(services.pool);
        } else if (effect instanceof Effect.Complete e) {
            return !e.contender().executor.blocks();
        } else if (effect instanceof Effect.CompleteRelease e) {
            return !e.call().executor.blocks();
        }
        return effect instanceof Effect.FailRelease e && !e.call().executor.blocks();
    }

    /** True if the effect only wakes a waiting caller or a thread of the client's own: it runs no user code on the current thread. */
    boolean wakesThread(Effect effect) {
        if (effect instanceof Effect.Complete e) {
            return wakesThread(e.contender().executor);
        }
        if (effect instanceof Effect.CompleteRelease e) {
            return wakesThread(e.call().executor);
        }
        if (effect instanceof Effect.Acquire e) {
            return wakesThread(e.contender().executor);
        }
        return effect instanceof Effect.Release e && wakesThread(releaseCall(e.lease()).executor);
    }

    private boolean wakesThread(RequestExecutor executor) {
        return executor.blocks() || (executor.equals(services.pool) && services.threads.ownPools());
    }

    /** Never throws. */
    void start(Effect effect) {
        if (services.failStop.failed() && !news(effect)) {
            return;
        }
        try {
            if (effect instanceof Effect.Acquire e) {
                e.contender().executor.execute(requests.acquire(e));
            } else if (effect instanceof Effect.Complete e) {
                e.contender().result.complete(e.outcome());
            } else if (effect instanceof Effect.Release e) {
                releaseCall(e.lease()).executor.execute(requests.release(e.lease()));
            } else if (effect instanceof Effect.CompleteRelease e) {
                e.call().result.complete(e.found());
            } else if (effect instanceof Effect.Report e) {
                services.notices.accept(e.notice());
            } else if (effect instanceof Effect.Wake e) {
                wake(e.subject());
            } else if (effect instanceof Effect.Notify e) {
                notifyObservers(e.lease(), e.awaited());
            } else if (effect instanceof Effect.Transfer e) {
                releaseCall(e.from()).executor.execute(requests.transfer(e));
            } else if (effect instanceof Effect.Withdraw e) {
                services.threads.background.execute(requests.withdrawal(e.release()));
            } else if (effect instanceof Effect.Renew e) {
                renewals.renew(e.lease());
            } else if (effect instanceof Effect.FailRelease e) {
                e.call().result.completeExceptionally(e.failure());
            } else if (effect instanceof Effect.CompleteLowering e) {
                e.call().result.complete(Optional.ofNullable(e.lease()));
            }
        } catch (Throwable broken) {
            services.failStop.fail(broken);
        }
    }

    static ReleaseCall releaseCall(HeldLease lease) {
        return Objects.requireNonNull(lease.releaseCall);
    }

    private void wake(Timed subject) {
        if (subject instanceof HeldLease || subject instanceof KeptGrant) {
            renewals.set(subject, events);
            return;
        }
        if (subject.timer != null) {
            subject.timer.cancel();
            subject.timer = null;
        }
        long at = subject.alarm;
        if (at != Timed.NEVER) {
            Event passed = new Event.TimePassed(subject);
            subject.timer = services.schedule(at - services.now(), () -> events.apply(passed));
        }
    }

    private void notifyObservers(HeldLease lease, boolean awaited) {
        Runnable task = lease.alive() ? null : lease.takeWhenEnded();
        if (task != null) {
            LosslessExecutor.contained(task);
        }
        Consumer<Runnable> stopper = lease.alive() ? null : lease.takeStopWork();
        Runnable then = awaited ? () -> events.apply(new Event.Notified(lease)) : null;
        if (stopper == null) {
            if (lease.observed() || awaited) {
                services.threads.notices.execute(() -> lease.notifyObservers(then));
            }
            return;
        }
        // Before the observers, and never on their threads: they may block.
        AtomicInteger unfinished = new AtomicInteger(lease.observed() ? 2 : 1);
        Runnable notified = () -> {
            if (unfinished.decrementAndGet() == 0 && then != null) {
                then.run();
            }
        };
        LosslessExecutor.contained(() -> stopper.accept(notified));
        if (lease.observed()) {
            services.threads.notices.execute(() -> lease.notifyObservers(notified));
        }
    }
}
