package io.hasp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.Attempt;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Memory runs out in the midst of an event. A seed decides what happens to a machine, at which row or effect an event breaks
 * off, and what follows; in the end everybody has an outcome, and neither the machine nor the server has anything left. A lock that
 * has to stay taken is not released before, once its holder was told of it.
 */
@EnabledIfSystemProperty(
        named = "hasp.tier",
        matches = "standard|full",
        disabledReason = "left to the standard tier: mvn verify -Pstandard")
class RecoveryTest {
    private static final int SEEDS = 20_000;
    private static final Duration LEASE = Duration.ofSeconds(30);
    /** For some locks of some worlds: how long they stay taken. */
    private static final Duration LEAST = Duration.ofSeconds(3);

    private static final RequestExecutor NOWHERE = request -> {};
    private static final List<Signal> SIGNALS = List.of(Signal.values());

    @Test
    void whatever_breaks_off_everybody_has_an_outcome_and_nothing_is_left() {
        brokenOffIn(Share.EXCLUSIVE.capacity(), false, false);
    }

    @Test
    void whatever_breaks_off_with_grants_that_are_kept_everybody_has_an_outcome_and_nothing_is_left() {
        brokenOffIn(Share.EXCLUSIVE.capacity(), true, false);
    }

    @Test
    void whatever_breaks_off_with_readers_and_writers_everybody_has_an_outcome_and_nothing_is_left() {
        brokenOffIn(Share.READ_WRITE, false, false);
    }

    @Test
    void whatever_breaks_off_with_locks_that_stay_taken_they_stay_taken() {
        brokenOffIn(Share.EXCLUSIVE.capacity(), false, true);
        brokenOffIn(Share.EXCLUSIVE.capacity(), true, true);
    }

    private static void brokenOffIn(int capacity, boolean keeps, boolean retains) {
        int broken = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed, capacity, keeps, retains);
            try {
                world.run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ":\n" + String.join("\n", world.history), e);
            }
            broken += world.broken;
        }
        assertThat(broken).as("events that broke off").isGreaterThan(SEEDS / 2);
    }

    private static BackendFailure noMemory() {
        return new BackendFailure(Kind.UNAVAILABLE, BackendFailure.Outcome.UNKNOWN, "no memory", null);
    }

    /** One client and its server, which answers in any order. */
    private static final class World {
        final List<String> history = new ArrayList<>();
        int broken;

        private final Random random;
        private final AtomicInteger holders = new AtomicInteger();
        private final LockMachine machine;
        private long now = 1;
        private long tokens;
        /** Rows and effects until memory runs out. */
        private int left;

        private final List<Contender> contenders = new ArrayList<>();
        private final Set<Contender> completed = new HashSet<>();
        private final List<ReleaseCall> calls = new ArrayList<>();
        private final Set<ReleaseCall> ended = new HashSet<>();
        private final List<HeldLease> held = new ArrayList<>();
        private final List<HeldLease> all = new ArrayList<>();
        private final Set<KeptGrant> kept = new LinkedHashSet<>();
        private final List<Effect> unanswered = new ArrayList<>();
        private final List<Event> toldAgain = new ArrayList<>();
        private final int capacity;
        private final boolean retains;
        private final Set<LowerCall> lowerings = new HashSet<>();
        private final Set<LowerCall> lowered = new HashSet<>();
        /** By holder: the weight of its grant. */
        private final Map<HolderId, Integer> onServer = new HashMap<>();
        /** By holder: until when the server has to keep its grant. */
        private final Map<HolderId, Long> staysUntil = new HashMap<>();

        /** The holders whose grants end by themselves. */
        private final Set<HolderId> mayStay = new HashSet<>();
        /** The tokens of leases whose loss was told. */
        private final Set<Long> lost = new HashSet<>();

        World(int seed, int capacity, boolean keeps, boolean retains) {
            this.capacity = capacity;
            this.retains = retains;
            random = new Random(seed);
            left = 1 + random.nextInt(100);
            machine = new LockMachine(
                    new NameAndCapacity(new LockName("a"), capacity),
                    new EngineSettings(
                            LEASE.toNanos(),
                            LEASE.toNanos(),
                            255,
                            Duration.ofMillis(20).toNanos(),
                            true,
                            false,
                            keeps ? Duration.ofSeconds(5).toNanos() : 0,
                            EngineSettings.USUAL_RECALL,
                            1 + random.nextInt(EngineSettings.USUAL_ASKING)),
                    () -> new HolderId("h" + holders.incrementAndGet()),
                    row -> allocate(),
                    keeps
                            ? new Keeping(() -> random.nextInt(8)
                                    / 7
                                    * Duration.ofSeconds(2).toNanos())
                            : null);
        }

        private void allocate() {
            if (--left == 0) {
                // Perhaps once more while the machine recovers.
                left = random.nextInt(3) == 0 ? 1 + random.nextInt(10) : 0;
                throw new OutOfMemoryError("of the test");
            }
        }

        void run() {
            int steps = 10 + random.nextInt(30);
            for (int i = 0; i < steps; i++) {
                step();
            }
            on(new Event.GivingEverythingBack(NOWHERE));
            while (!unanswered.isEmpty() || !held.isEmpty()) {
                if (unanswered.isEmpty()) {
                    giveBack();
                } else {
                    answer();
                }
            }
            assertThat(completed).as("who has an outcome").containsAll(contenders);
            assertThat(ended).as("releases that have ended").containsAll(calls);
            assertThat(lowered).as("lowerings that have ended").containsAll(lowerings);
            // One that has to stay taken ends by itself, also if nobody was told of it.
            onServer.keySet().removeAll(mayStay);
            assertThat(onServer).as("what is left on the server").isEmpty();
            assertThat(machine.idle()).as(machine.toString()).isTrue();
            for (HeldLease lease : all) {
                if (lease.life().state() == LeaseLife.State.LOST) {
                    assertThat(lost).as("whose loss was told").contains(lease.token());
                }
            }
        }

        private void step() {
            switch (random.nextInt(capacity > 1 ? 9 : 8)) {
                case 0, 1 -> join();
                case 2, 3, 4 -> answer();
                case 5 -> giveBack();
                case 6 -> timePasses();
                case 8 -> lower();
                default -> {
                    if (!contenders.isEmpty()) {
                        Contender contender = contenders.get(random.nextInt(contenders.size()));
                        on(
                                random.nextBoolean()
                                        ? new Event.GaveUp(contender, Outcome.ABANDONED)
                                        : new Event.Signalled(
                                                contender,
                                                contender.claim().holder(),
                                                SIGNALS.get(random.nextInt(SIGNALS.size()))));
                    }
                }
            }
        }

        private void join() {
            Optional<Duration> maxHold = random.nextInt(4) == 0 ? Optional.of(Duration.ofSeconds(2)) : Optional.empty();
            LeaseTerms terms = LeaseTerms.of(LEASE, Optional.empty(), maxHold);
            if (capacity > 1) {
                terms = terms.withShare(random.nextBoolean() ? Share.READ : Share.WRITE);
            }
            if (retains && random.nextBoolean()) {
                terms = terms.takenAtLeast(LEAST);
            }
            long wait = random.nextInt(3) == 0 ? 0 : Nanos.FOREVER;
            Contender contender = machine.contender(terms, NOWHERE, wait, now);
            contenders.add(contender);
            on(new Event.Joined(contender));
        }

        private void giveBack() {
            if (!held.isEmpty()) {
                ReleaseCall call = new ReleaseCall(NOWHERE);
                calls.add(call);
                on(new Event.GivenBack(held.remove(random.nextInt(held.size())), call));
            }
        }

        private void lower() {
            if (!held.isEmpty()) {
                LowerCall call = new LowerCall(Share.READ);
                lowerings.add(call);
                on(new Event.Lowering(held.remove(random.nextInt(held.size())), call));
            }
        }

        private void timePasses() {
            now += random.nextLong(Duration.ofSeconds(1).toNanos());
            for (Contender contender : List.copyOf(contenders)) {
                on(new Event.TimePassed(contender));
            }
            for (HeldLease lease : List.copyOf(held)) {
                on(new Event.TimePassed(lease));
            }
            for (KeptGrant grant : List.copyOf(kept)) {
                on(random.nextInt(20) == 0 ? new Event.Unwatched(grant) : new Event.TimePassed(grant));
            }
        }

        private void answer() {
            if (unanswered.isEmpty()) {
                return;
            }
            Effect request = unanswered.remove(random.nextInt(unanswered.size()));
            if (request instanceof Effect.Acquire e) {
                attempt(e.contender(), e.claim(), e.request());
            } else if (request instanceof Effect.Release e) {
                released(e.lease());
            } else if (request instanceof Effect.Transfer e) {
                released(e.from());
                attempt(e.contender(), e.claim(), e.request());
            } else if (request instanceof Effect.Withdraw e) {
                onServer.remove(e.owed().claim.holder());
                on(new Event.OwedAnswered(e.owed(), null));
            } else if (request instanceof Effect.Tell e) {
                on(new Event.Told(e.lease()));
            } else if (request instanceof Effect.Renew e) {
                on(new Event.Renewed(e.lease(), now, renewal(e.lease().grant.claim())));
            }
        }

        private Renewal renewal(Claim claim) {
            if (capacity == 1 || random.nextInt(4) == 0) {
                return new Renewal.Unknown(noMemory());
            }
            Integer weight = onServer.computeIfPresent(
                    claim.holder(), (holder, had) -> Math.min(had, claim.share().weight()));
            return weight == null ? new Renewal.Lost("nobody has it") : new Renewal.Renewed(LEASE);
        }

        private void attempt(Contender contender, Claim claim, int request) {
            expire();
            if (random.nextInt(8) == 0) {
                // An administrator, or a restart: the server grants again what somebody believes in.
                onServer.clear();
            }
            int used = onServer.values().stream().mapToInt(Integer::intValue).sum();
            int weight = claim.share().weight();
            if (used + weight <= capacity && random.nextInt(5) > 0) {
                onServer.put(claim.holder(), weight);
                contender.terms.takenAtLeast().ifPresent(least -> mayStay.add(claim.holder()));
                answer(
                        contender,
                        request,
                        new Attempt.Granted(Grant.of(claim, ++tokens, LEASE), claim.keeps() && random.nextInt(4) > 0));
            } else {
                answer(contender, request, new Attempt.Busy(Duration.ofSeconds(1), random.nextBoolean()));
            }
        }

        /** It may be told again, now or later: so is an answer after which memory ran out. */
        private void answer(Contender contender, int request, Attempt attempt) {
            Event.Answered answered = new Event.Answered(contender, request, now, attempt, null);
            on(answered);
            if (random.nextInt(8) == 0) {
                toldAgain.add(answered);
            }
            if (!toldAgain.isEmpty() && random.nextBoolean()) {
                on(toldAgain.remove(random.nextInt(toldAgain.size())));
            }
        }

        private void released(HeldLease lease) {
            boolean had = onServer.remove(lease.grant.claim().holder()) != null;
            if (had && lease.stays()) {
                HolderId nobody = new HolderId("nobody" + holders.incrementAndGet());
                onServer.put(nobody, capacity);
                mayStay.add(nobody);
                staysUntil.put(nobody, now + lease.given().lease().toNanos());
            }
            on(new Event.ReleaseAnswered(lease, had ? Released.RELEASED : Released.NOT_HELD, null));
        }

        /** The server ends what was to stay taken until now, unless that is held and so renewed. */
        private void expire() {
            onServer.keySet()
                    .removeIf(holder -> staysUntil.getOrDefault(holder, Long.MAX_VALUE) <= now
                            && all.stream()
                                    .noneMatch(lease -> lease.alive()
                                            && lease.grant.claim().holder().equals(holder)));
        }

        private void staysTaken(HeldLease lease) {
            lease.terms
                    .takenAtLeast()
                    .ifPresent(least -> staysUntil.put(lease.grant.claim().holder(), now + least.toNanos()));
        }

        /** What the client has the server release. */
        private void checkReleased(HolderId holder, Duration stays) {
            if (onServer.containsKey(holder)) {
                assertThat(now + stays.toNanos())
                        .as("a lock stays taken for as long as asked")
                        .isGreaterThanOrEqualTo(staysUntil.getOrDefault(holder, Long.MIN_VALUE));
            }
        }

        private void on(Event event) {
            history.add(event.getClass().getSimpleName() + " on " + machine);
            List<Effect> effects = new Effects();
            try {
                allocate();
                machine.on(event, now, effects);
            } catch (OutOfMemoryError e) {
                broken++;
                history.add("breaks off after " + effects.size() + " effects");
                recover(new Event.BrokenOff(event, noMemory()), effects);
            }
            start(new ArrayDeque<>(effects));
            assertThat(all.stream()
                            .filter(HeldLease::alive)
                            .mapToInt(lease -> lease.terms.share().weight())
                            .sum())
                    .as("shares that are believed")
                    .isLessThanOrEqualTo(capacity);
        }

        private void recover(Event.BrokenOff event, List<Effect> effects) {
            for (boolean recovered = false; !recovered; ) {
                try {
                    machine.on(event, now, effects);
                    recovered = true;
                } catch (OutOfMemoryError e) {
                    history.add("breaks off once more after " + effects.size() + " effects");
                }
            }
        }

        private void start(ArrayDeque<Effect> effects) {
            for (Effect effect : effects) {
                if (effect instanceof Effect.Complete e) {
                    if (completed.add(e.contender()) && e.outcome() instanceof Outcome.Acquired acquired) {
                        held.add(acquired.lease());
                        all.add(acquired.lease());
                        staysTaken(acquired.lease());
                        if (random.nextBoolean()) {
                            acquired.lease().observe(state -> {});
                        }
                    }
                } else if (effect instanceof Effect.CompleteLowering e) {
                    HeldLease less = e.lease();
                    if (lowered.add(e.call()) && less != null) {
                        held.add(less);
                        all.add(less);
                    }
                } else if (effect instanceof Effect.CompleteRelease e) {
                    ended.add(e.call());
                } else if (effect instanceof Effect.FailRelease e) {
                    ended.add(e.call());
                } else if (effect instanceof Effect.Tell e) {
                    if (e.awaited()) {
                        unanswered.add(e);
                    }
                } else if (effect instanceof Effect.Report e) {
                    if (e.notice() instanceof Notice.Lost loss) {
                        assertThat(lost.add(loss.token()))
                                .as("told the first time")
                                .isTrue();
                    }
                } else if (effect instanceof Effect.Wake e && e.subject() instanceof KeptGrant grant) {
                    kept.add(grant);
                } else if (!(effect instanceof Effect.Wake)) {
                    if (effect instanceof Effect.Withdraw e) {
                        checkReleased(e.owed().claim.holder(), Duration.ZERO);
                    } else if (effect instanceof Effect.Release e) {
                        boolean stays = e.lease().stays();
                        checkReleased(
                                e.lease().grant.claim().holder(),
                                stays ? e.lease().given().lease() : Duration.ZERO);
                    }
                    unanswered.add(effect);
                }
            }
        }

        /** Adding one needs memory. */
        private final class Effects extends AbstractList<Effect> {
            private final List<Effect> all = new ArrayList<>();

            @Override
            public boolean add(Effect effect) {
                allocate();
                return all.add(effect);
            }

            @Override
            public Effect get(int index) {
                return all.get(index);
            }

            @Override
            public int size() {
                return all.size();
            }
        }
    }
}
