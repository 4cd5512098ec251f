package io.hasp.engine;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Renewal;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Starts single effects of one name: requests, timers, completions and news. One that can't be started is answered with a failure,
 * as an event. Nothing that is started here blocks or runs anything of the user's: requests are handed to whatever makes them,
 * news to the threads for it.
 */
final class EffectStarter {
    private final SharedServices services;
    private final RenewalTimer renewals;
    private final Consumer<Event> events;
    private final BackendRequests requests;

    /** Of one name; events go to its driver. */
    EffectStarter(SharedServices services, RenewalTimer renewals, Consumer<Event> events) {
        this.services = services;
        this.renewals = renewals;
        this.events = events;
        this.requests = new BackendRequests(services, events);
    }

    /** Whether nothing of it reaches a user, or an executor of a user's. */
    static boolean unnoticed(Effect effect) {
        return effect instanceof Effect.Wake || effect instanceof Effect.Renew;
    }

    /** Never throws, unless not even the failure can be told. */
    void start(Effect effect) {
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
            } else if (effect instanceof Effect.Tell e) {
                tell(e.lease(), e.awaited());
            } else if (effect instanceof Effect.Transfer e) {
                releaseCall(e.from()).executor.execute(requests.transfer(e));
            } else if (effect instanceof Effect.Withdraw e) {
                services.threads.background.execute(requests.withdrawal(e.owed()));
            } else if (effect instanceof Effect.Renew e) {
                renewals.renew(e.lease());
            } else if (effect instanceof Effect.FailRelease e) {
                e.call().result.completeExceptionally(e.failure());
            } else if (effect instanceof Effect.CompleteLowering e) {
                e.call().result.complete(Optional.ofNullable(e.lease()));
            }
        } catch (Throwable broken) {
            notStarted(effect, broken);
        }
    }

    static ReleaseCall releaseCall(HeldLease lease) {
        return Objects.requireNonNull(lease.releaseCall);
    }

    /** No memory, no thread or no timer: the caller that waits must hear of that, even if this thread can't say what broke. */
    private void notStarted(Effect effect, Throwable broken) {
        for (int tries = 0; ; tries++) {
            try {
                fail(effect, Failures.ofClient(broken));
                return;
            } catch (Throwable worse) {
                if (!Failures.mayPass(worse, tries)) {
                    services.threads.background.execute(() -> fail(effect, Failures.described(broken)));
                    throw worse;
                }
            }
        }
    }

    private void fail(Effect effect, BackendFailure failure) {
        if (effect instanceof Effect.Acquire e) {
            events.accept(new Event.Answered(e.contender(), e.request(), services.now(), null, failure));
        } else if (effect instanceof Effect.Release e) {
            events.accept(new Event.ReleaseAnswered(e.lease(), null, failure));
        } else if (effect instanceof Effect.Transfer e) {
            events.accept(new Event.ReleaseAnswered(e.from(), null, failure));
            events.accept(new Event.Answered(e.contender(), e.request(), services.now(), null, failure));
        } else if (effect instanceof Effect.Withdraw e) {
            events.accept(new Event.OwedAnswered(e.owed(), failure));
        } else if (effect instanceof Effect.Renew e) {
            events.accept(new Event.Renewed(e.lease(), services.now(), new Renewal.Unknown(failure)));
        } else if (effect instanceof Effect.Wake e && e.subject() instanceof Contender contender) {
            events.accept(new Event.GaveUp(contender, new Outcome.Failed(failure)));
        } else if (effect instanceof Effect.Wake e && e.subject() instanceof HeldLease lease) {
            // Nobody would renew it, and nobody would notice its end.
            events.accept(new Event.Renewed(
                    lease, services.now(), new Renewal.Lost("no timer could be set for it: " + failure.getMessage())));
        } else if (effect instanceof Effect.Wake e && e.subject() instanceof KeptGrant kept) {
            events.accept(new Event.Unwatched(kept));
        } else if (effect instanceof Effect.Wake e && e.subject() instanceof OwedRelease owed) {
            services.threads.background.execute(requests.withdrawal(owed));
        } else if (effect instanceof Effect.Tell e) {
            tell(e.lease(), e.awaited());
        } else if (effect instanceof Effect.Complete e) {
            // Again: a caller that sleeps until then may not have been woken.
            e.contender().result.complete(e.outcome());
        } else if (effect instanceof Effect.CompleteRelease e) {
            e.call().result.complete(e.found());
        } else if (effect instanceof Effect.FailRelease e) {
            e.call().result.completeExceptionally(e.failure());
        } else if (effect instanceof Effect.CompleteLowering e) {
            e.call().result.complete(Optional.ofNullable(e.lease()));
        }
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
            subject.timer = services.schedule(at - services.now(), () -> events.accept(passed));
        }
    }

    private void tell(HeldLease lease, boolean awaited) {
        Runnable task = lease.alive() ? null : lease.takeWhenEnded();
        if (task != null) {
            LosslessExecutor.contained(task);
        }
        Consumer<Runnable> stopper = lease.alive() ? null : lease.takeStopWork();
        Runnable then = awaited ? () -> events.accept(new Event.Told(lease)) : null;
        if (stopper == null) {
            if (lease.observed() || awaited) {
                services.threads.notices.execute(() -> lease.tellObservers(then));
            }
            return;
        }
        // Before the observers, and never on their threads: they may block.
        AtomicInteger untold = new AtomicInteger(lease.observed() ? 2 : 1);
        Runnable told = () -> {
            if (untold.decrementAndGet() == 0 && then != null) {
                then.run();
            }
        };
        LosslessExecutor.contained(() -> stopper.accept(told));
        if (lease.observed()) {
            services.threads.notices.execute(() -> lease.tellObservers(told));
        }
    }
}
