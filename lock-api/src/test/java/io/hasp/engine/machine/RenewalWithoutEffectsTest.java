package io.hasp.engine.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.EngineSettings;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.Keeping;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.engine.threads.Nanos;
import io.hasp.engine.threads.RequestExecutor;
import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The steps of a renewal without events and effects do what the events do. Two machines take the same random news; one is without the steps. */
class RenewalWithoutEffectsTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final Duration LEASE = Duration.ofSeconds(12);
    private static final RequestExecutor NOWHERE = request -> {};

    private enum News {
        TIME,
        ANSWER,
        SHORT_ANSWER,
        FAILURE,
        LOSS,
        SUSPECT,
        RESTORED,
        WANTED,
        EXTENDING,
        EXTENDED,
        LOWERING,
        JOINING,
        BUSY,
        OBSERVING,
        CLOSING
    }

    private record Sent(HeldLease lease, long at, int interruptions) {}

    /** The kind of a run, the same for both machines. */
    private record Kind(boolean shared, boolean keeps, boolean observed, boolean fixed, boolean maxHold) {
        static Kind of(Random random) {
            boolean shared = random.nextBoolean();
            boolean fixed = random.nextInt(4) == 0;
            return new Kind(
                    shared, !shared && random.nextBoolean(), random.nextInt(3) == 0, fixed, random.nextInt(4) == 0);
        }

        LeaseTerms terms() {
            return LeaseTerms.of(
                            LEASE,
                            fixed ? Optional.of(LEASE) : Optional.empty(),
                            maxHold ? Optional.of(Duration.ofSeconds(40)) : Optional.empty())
                    .withShare(shared ? Share.WRITE : Share.EXCLUSIVE);
        }
    }

    private static final class Client {
        private final boolean steps;
        private final Kind kind;
        private final AtomicInteger holders = new AtomicInteger();
        private final List<String> log = new ArrayList<>();
        private final Deque<Sent> renewals = new ArrayDeque<>();
        private final Deque<Sent> extensions = new ArrayDeque<>();
        private final Deque<Contender> asking = new ArrayDeque<>();
        private final LockMachine machine;
        private final HeldLease first;
        private long now = SECOND;
        private long clockDifference;
        private int stepsTaken;

        Client(boolean steps, Kind kind) {
            this.steps = steps;
            this.kind = kind;
            machine = new LockMachine(
                    kind.shared
                            ? new NameAndCapacity(new LockName("a"), Share.READ_WRITE)
                            : NameAndCapacity.exclusive(new LockName("a")),
                    new EngineSettings(12 * SECOND, 12 * SECOND, 255, SECOND, kind.observed, false, 2 * SECOND, 16),
                    () -> new HolderId("h" + holders.incrementAndGet()),
                    row -> log.add(row.name()),
                    kind.keeps ? new Keeping(() -> clockDifference) : null);
            Contender contender = machine.contender(kind.terms(), NOWHERE, Nanos.FOREVER, now);
            on(new Event.Joined(contender));
            asking.clear();
            Grant grant = Grant.of(contender.claim(), 1, LEASE);
            first = ((Outcome.Acquired)
                            on(new Event.Answered(
                                            contender, contender.request(), now, new Attempt.Granted(grant), null))
                                    .stream()
                                    .filter(Effect.Complete.class::isInstance)
                                    .map(Effect.Complete.class::cast)
                                    .findFirst()
                                    .orElseThrow()
                                    .outcome())
                    .lease();
        }

        private static BackendFailure away() {
            return new BackendFailure(BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "away", null);
        }

        private List<Effect> on(Event event) {
            List<Effect> effects = new ArrayList<>();
            machine.on(event, now, effects);
            for (Effect effect : effects) {
                if (effect instanceof Effect.Renew renew) {
                    renewals.add(new Sent(renew.lease(), now, 0));
                } else if (effect instanceof Effect.Acquire acquire) {
                    asking.add(acquire.contender());
                }
                boolean alarm = effect instanceof Effect.Wake wake && wake.subject() instanceof HeldLease;
                if (!alarm && !(effect instanceof Effect.Renew)) {
                    log.add(
                            effect instanceof Effect.Report report
                                    ? report.notice().toString()
                                    : effect.getClass().getSimpleName());
                }
            }
            return effects;
        }

        void take(News news, long number) {
            HeldLease lease = first.present();
            switch (news) {
                case TIME -> pass(lease, number);
                case ANSWER -> answered(new Renewal.Renewed(LEASE));
                case SHORT_ANSWER -> answered(new Renewal.Renewed(Duration.ofNanos(1 + number % (6 * SECOND))));
                case FAILURE -> answered(new Renewal.Unknown(away()));
                case LOSS -> {
                    if (number % 4 == 0) {
                        answered(new Renewal.Lost("gone"));
                    }
                }
                case SUSPECT -> signalled(lease, Signal.SUSPECT);
                case RESTORED -> signalled(lease, Signal.RESTORED);
                case WANTED -> signalled(lease, Signal.WANTED);
                case EXTENDING -> {
                    on(new Event.Extending(lease, LEASE));
                    extensions.add(new Sent(lease, now, lease.renewal.interruptions()));
                }
                case EXTENDED -> extended();
                case LOWERING -> {
                    if (kind.shared && number % 3 == 0 && lease.terms.share().equals(Share.WRITE)) {
                        on(new Event.Lowering(lease, new LowerCall(Share.READ)));
                    }
                }
                case JOINING ->
                    on(new Event.Joined(
                            machine.contender(kind.terms(), NOWHERE, number % 2 == 0 ? 0 : 60 * SECOND, now)));
                case BUSY -> refused();
                case OBSERVING -> {
                    if (lease.alive()) {
                        lease.observe(state -> {});
                    }
                }
                case CLOSING -> {
                    if (number % 16 == 0) {
                        on(new Event.Closing(NOWHERE));
                    }
                }
            }
            log.add(now + " " + first.life() + " " + first.present().life() + " " + lease.alarm + " "
                    + first.present().alarm + " " + renewals.size() + " "
                    + lease.renewal.whyDoubted().getMessage());
        }

        private void pass(HeldLease lease, long number) {
            now += number % (3 * SECOND);
            clockDifference += number % 5;
            if (steps && machine.beginsRenewal(lease, now)) {
                stepsTaken++;
                renewals.add(new Sent(lease, now, 0));
            } else {
                on(new Event.TimePassed(lease));
            }
        }

        private void answered(Renewal renewal) {
            Sent sent = renewals.poll();
            if (sent == null) {
                return;
            }
            if (steps
                    && renewal instanceof Renewal.Renewed renewed
                    && machine.confirms(sent.lease, sent.at, renewed, now)) {
                stepsTaken++;
            } else {
                on(new Event.Renewed(sent.lease, sent.at, renewal));
            }
        }

        private void signalled(HeldLease lease, Signal signal) {
            Contender past = machine.contender(kind.terms(), NOWHERE, 0, now);
            past.finish();
            on(new Event.Signalled(past, lease.grant.claim().holder(), signal));
        }

        private void extended() {
            Sent sent = extensions.poll();
            if (sent != null) {
                Renewal.Renewed renewed = new Renewal.Renewed(LEASE);
                on(new Event.Extended(sent.lease.present(), sent.at, LEASE.toNanos(), renewed, sent.interruptions));
            }
        }

        private void refused() {
            Contender contender = asking.poll();
            if (contender != null) {
                on(new Event.Answered(
                        contender, contender.request(), now, new Attempt.Busy(Duration.ofMillis(500)), null));
            }
        }
    }

    @Test
    void steps_and_events_have_the_same_results() {
        News[] often = {News.TIME, News.TIME, News.TIME, News.ANSWER, News.ANSWER, News.SHORT_ANSWER};
        int taken = 0;
        for (int seed = 1; seed <= 20_000; seed++) {
            Random random = new Random(seed);
            Kind kind = Kind.of(random);
            Client events = new Client(false, kind);
            Client steps = new Client(true, kind);
            List<String> story = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                News news = random.nextInt(3) > 0
                        ? often[random.nextInt(often.length)]
                        : News.values()[random.nextInt(News.values().length)];
                long number = random.nextLong(1_000 * SECOND);
                story.add(news + " " + number);
                int before = events.log.size();
                events.take(news, number);
                steps.take(news, number);
                assertThat(steps.log.subList(before, steps.log.size()))
                        .as("seed %d, %s: %s", seed, kind, story)
                        .isEqualTo(events.log.subList(before, events.log.size()));
            }
            taken += steps.stepsTaken;
        }
        assertThat(taken).isGreaterThan(20_000);
    }
}
