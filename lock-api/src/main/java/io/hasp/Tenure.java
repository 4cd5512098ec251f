package io.hasp;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Capabilities;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows of one {@link Lease} and does about it: the grant behind it, its life, its renewal, its doubts and
 * who wants to know. Its monitor is left before anybody else is called.
 */
final class Tenure {
    /** How long observers that block may hold up the release of a lease that has come to its end. */
    private static final long LONGEST_TELLING = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int TOKENS_PER_GRANT = HandOff.LIMIT + 1;

    final LocalQueue queue;
    final Grant grant;
    final Terms terms;

    private final Engine engine;
    private final HolderNews news;
    /** Since when the grant is with this client: what its local holders may keep others waiting for counts from here. */
    private final long grantedAt;

    private final int handOffs;
    private final long heldSince;

    private LeaseLife life;
    /** For how long the server grants it: the measure of how often and how early it is renewed. */
    private long validity;

    private long renewAt;
    private boolean renewing;
    /** What was known of the holder when the present renewal began. */
    private HolderNews.@Nullable Item knownAtRenewal;

    /** The longest that the server was asked for. */
    private Duration asked;

    private @Nullable BackendFailure doubt;
    private volatile @Nullable String foundLost;
    private @Nullable Runnable whenEnded;
    private volatile @Nullable LeaseObservers observers;
    /** Of {@link LeaseHandles}; null while it was not given to the program. */
    volatile LeaseHandles.@Nullable Handle handle;

    /** The first one of a grant whose request was sent at {@code sentAt}. */
    Tenure(Engine engine, LocalQueue queue, Grant grant, Terms terms, LeaseLife life, long sentAt, HolderNews news) {
        this(engine, queue, grant, terms, news, engine.now(), 0, life);
        this.validity = Durations.nanos(grant.validity());
        this.renewAt = sentAt + validity / (brief() ? 12 : 3);
    }

    private Tenure(
            Engine engine,
            LocalQueue queue,
            Grant grant,
            Terms terms,
            HolderNews news,
            long grantedAt,
            int handOffs,
            LeaseLife life) {
        this.engine = engine;
        this.queue = queue;
        this.grant = grant;
        this.terms = terms;
        this.news = news;
        this.asked = grant.claim().lease();
        this.grantedAt = grantedAt;
        this.handOffs = handOffs;
        this.heldSince = engine.now();
        this.life = life;
    }

    /** One that is good for much less than the lease asked for has time for few renewals, so the first has to come early. */
    private boolean brief() {
        return engine.backend.capabilities().enforcement() == Capabilities.Enforcement.LEASE
                && validity < Durations.nanos(grant.claim().lease()) / 4;
    }

    /** The next local holder's one of the same server grant, with the next token and the same deadline. */
    synchronized Tenure successor(Terms next) {
        LeaseLife began = LeaseLife.held(life.deadline(), next.cap(engine.now()), validity);
        Tenure successor = new Tenure(engine, queue, grant, next, news, grantedAt, handOffs + 1, began);
        successor.validity = validity;
        successor.renewAt = renewAt;
        return successor;
    }

    /** Whether the grant may stay with this client: confirmed, far from its deadline, and within the bounds. */
    synchronized boolean handOffAllowed() {
        HandOff bounds = engine.options.effectiveHandOff();
        long now = engine.now();
        return handOffs < bounds.most()
                && now - grantedAt < Durations.nanos(bounds.within())
                && doubt == null
                && !renewing
                && terms.renewed()
                && life.deadline() - now > validity / 3;
    }

    static boolean canCarry(long serverToken) {
        return serverToken > 0 && serverToken <= Long.MAX_VALUE / TOKENS_PER_GRANT;
    }

    /** Every token of a grant above this one of the server is larger than {@code token}. */
    static long serverFloor(long token) {
        return token / TOKENS_PER_GRANT;
    }

    long token() {
        return grant.token() * TOKENS_PER_GRANT + handOffs;
    }

    HolderId holder() {
        return grant.claim().holder();
    }

    /** What is known right now. */
    LeaseLife life() {
        return on(new LeaseLife.Event.Ticked());
    }

    LeaseState state() {
        return life().state();
    }

    /** See {@link Lease#onChange}. */
    void onChange(Executor executor, Consumer<LeaseState> listener) {
        Consumer<LeaseState> observer = LeaseObservers.on(executor, listener);
        LeaseState present;
        synchronized (this) {
            present = life.state();
            if (!life.ended()) {
                LeaseObservers all = observers;
                all = all == null ? new LeaseObservers() : all;
                observers = all;
                all.add(observer);
            }
        }
        if (present == LeaseState.LOST || present == LeaseState.RELEASED) {
            observer.accept(present);
        }
    }

    /** See {@link Lease#whenEnded}. */
    void whenEnded(Runnable task) {
        synchronized (this) {
            if (!life.ended()) {
                whenEnded = task;
                return;
            }
        }
        task.run();
    }

    private void ended() {
        Runnable task;
        synchronized (this) {
            task = whenEnded;
            whenEnded = null;
        }
        if (task != null) {
            LosslessExecutor.contained(task);
        }
    }

    /** Moves the end; never to an earlier one. */
    void recap(long cap) {
        on(new LeaseLife.Event.Recapped(Math.max(cap(), cap)));
    }

    private synchronized long cap() {
        return life.cap();
    }

    /** How long it may still be held, whatever is confirmed; empty without a max hold. */
    Optional<Duration> holdLeft() {
        return terms.maxHold().map(most -> most.minusNanos(engine.now() - heldSince));
    }

    /** The server is going to be asked for that. */
    synchronized void asks(Duration lease) {
        asked = asked.compareTo(lease) < 0 ? lease : asked;
    }

    /** Ends whatever the holder may have on the server, in the background. */
    void withdraw() {
        Duration longest;
        synchronized (this) {
            longest = asked;
        }
        engine.withdrawals.withdraw(grant.claim(), longest);
    }

    /** Ends it locally, for release; empty if it was held until now, so that the grant is to be given back. */
    Optional<ReleaseResult> end() {
        LeaseState before;
        LeaseLife after;
        synchronized (this) {
            before = life.state();
            after = advance(new LeaseLife.Event.GivenBack());
        }
        if (before == LeaseState.RELEASED) {
            return Optional.of(ReleaseResult.ALREADY_RELEASED);
        }
        if (after.state() == LeaseState.LOST) {
            changed(before, after);
            return Optional.of(ReleaseResult.LOST);
        }
        engine.watchdog.forget(this);
        changed(before, after);
        return Optional.empty();
    }

    void onSignal(Signal signal) {
        switch (signal) {
            case SUSPECT -> doubted(new LeaseLife.Event.Doubted(""));
            case LOST -> doubted(new LeaseLife.Event.Denied("the backend reports that it is gone"));
            case RESTORED -> {
                synchronized (this) {
                    renewAt = engine.now();
                }
                engine.watchdog.hurry(this);
            }
            case MAYBE_FREE -> {}
        }
    }

    /** Looks at the signals that came before this lease could hear them. */
    void catchUp() {
        HolderNews.Item item = news.latest();
        if (item != null) {
            onSignal(item.signal);
        }
    }

    /** The holder does not have the lock. */
    void denied(String why) {
        on(new LeaseLife.Event.Denied(why));
    }

    /** Its release found that the server had no longer had it. */
    void foundLost() {
        foundLost = "its release found that the server no longer had it";
        engine.events.lost(queue.name, token(), foundLost);
    }

    /** Why it was lost; null if it was not, as far as is known. */
    @Nullable
    String loss() {
        LeaseLife now = life();
        return now.state() == LeaseState.LOST ? now.reason() : foundLost;
    }

    /** Whatever the state: a lease that is being released at this moment is not to be handed over. */
    private void doubted(LeaseLife.Event event) {
        synchronized (this) {
            doubt = unconfirmed();
        }
        on(event);
    }

    /** Why it is SUSPECT. */
    synchronized BackendFailure doubt() {
        return doubt != null ? doubt : unconfirmed();
    }

    private static BackendFailure unconfirmed() {
        return new BackendFailure(
                BackendFailure.Kind.UNAVAILABLE,
                BackendFailure.Outcome.NOT_APPLIED,
                "the lease of this client can't be confirmed at present",
                null);
    }

    /** Whether it wants renewal by then; if so it is taken to be under way. */
    synchronized boolean beginRenewal(long by) {
        if (renewing || renewAt > by || !life.renewable()) {
            return false;
        }
        renewing = true;
        knownAtRenewal = news.latest();
        return true;
    }

    /** When something is to be done about it next. */
    synchronized long nextDue() {
        if (life.ended()) {
            return Durations.FOREVER;
        }
        long next = life.state() == LeaseState.HELD ? Math.min(life.suspectAt(), life.deadline()) : life.deadline();
        return life.renewable() && !renewing ? Math.min(renewAt, next) : next;
    }

    void endRenewal(long sentAt, Renewal renewal) {
        LeaseState before;
        LeaseLife after;
        synchronized (this) {
            renewing = false;
            before = life.state();
            after = advance(news(sentAt, renewal));
        }
        changed(before, after);
        if (renewal instanceof Renewal.Renewed && after.state() == LeaseState.HELD) {
            engine.events.renewed(queue.name, token(), after.deadline() - engine.now());
        }
    }

    /** Needs the monitor: a release that comes between this and its effect would hand over what was denied. */
    private LeaseLife.Event news(long sentAt, Renewal renewal) {
        if (renewal instanceof Renewal.Renewed renewed) {
            long more = Durations.nanos(renewed.validity());
            validity = Math.max(more, Durations.nanos(grant.validity()));
            renewAt = Math.max(sentAt + more / 3, engine.now() + validity / 12);
            doubt = null;
            news.answered(knownAtRenewal);
            return new LeaseLife.Event.Confirmed(sentAt + more - Durations.drift(more), more);
        }
        if (renewal instanceof Renewal.Unknown unknown) {
            renewAt = engine.now() + validity / 12;
            doubt = unknown.why();
            return new LeaseLife.Event.Doubted(String.valueOf(doubt.getMessage()));
        }
        return new LeaseLife.Event.Denied(((Renewal.Lost) renewal).why());
    }

    private LeaseLife on(LeaseLife.Event event) {
        LeaseState before;
        LeaseLife after;
        synchronized (this) {
            before = life.state();
            after = advance(event);
        }
        changed(before, after);
        return after;
    }

    /** Needs the monitor, and {@link #changed} after it. */
    private LeaseLife advance(LeaseLife.Event event) {
        LeaseState before = life.state();
        life = life.on(event, engine.now());
        LeaseObservers all = observers;
        if (all != null && life.state() != before) {
            all.note(life.state());
        }
        return life;
    }

    private void changed(LeaseState before, LeaseLife after) {
        if (before == after.state()) {
            return;
        }
        if (after.ended()) {
            ended();
        }
        switch (after.state()) {
            case LOST -> lost(after);
            case SUSPECT -> {
                engine.events.suspect(queue.name, token(), Duration.ofNanos(after.deadline() - engine.now()));
                tell();
            }
            case HELD -> {
                engine.events.confirmed(queue.name, token());
                tell();
            }
            case RELEASED -> {
                engine.events.released(queue.name, token(), engine.now() - heldSince);
                tell();
            }
        }
    }

    private void lost(LeaseLife life) {
        engine.watchdog.forget(this);
        engine.events.lost(queue.name, token(), life.reason());
        if (life.deadline() < life.cap()) {
            giveUp();
            tell();
        } else if (observers == null) {
            giveUp();
        } else {
            giveUpOnceTold();
        }
    }

    /** The server still keeps a lock that came to the end of its time here: its holder hears of that before another can begin. */
    private void giveUpOnceTold() {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                giveUp();
            }
        };
        engine.schedule(LONGEST_TELLING, once);
        tell(once);
    }

    private void giveUp() {
        withdraw();
        queue.ended(this);
    }

    private void tell() {
        LeaseObservers all = observers;
        if (all != null) {
            engine.threads.notices.execute(all::tell);
        }
    }

    /** Tells the observers, where they may block, and then does something. */
    private void tell(Runnable then) {
        LeaseObservers all = observers;
        if (all != null) {
            engine.threads.notices.execute(() -> {
                all.tell();
                then.run();
            });
        } else {
            then.run();
        }
    }
}
