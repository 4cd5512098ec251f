package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A model of ZooKeeper's sessions: a client, its follower and the leader, with four ordered channels between them that
 * sometimes stall; the connection of client and follower sometimes breaks as well. After every answer, the moment at which the leader last
 * heard of the session must not be earlier than the rule assumes, even if the follower is cut off at once. The test shows that weaker
 * rules fail.
 */
@InTier(Tier.STANDARD)
class SessionDeadlineModelTest {
    private static final long TIMEOUT = 12_000_000_000L;
    private static final int WORLDS = 3_000;

    /** From the answers, a moment at which, or after which, the leader heard of the session. */
    private interface Rule {
        void answered(long sentAt, long answeredAt);

        /** The connection broke before the answer. */
        default void lost(long sentAt, long knownAt) {}

        long heard();
    }

    private static final class Ours implements Rule {
        private final SessionDeadline deadline = new SessionDeadline(Duration.ofNanos(TIMEOUT), OptionalLong.of(0));

        @Override
        public void answered(long sentAt, long answeredAt) {
            deadline.answered(sentAt, answeredAt);
        }

        @Override
        public void lost(long sentAt, long knownAt) {
            deadline.lost(sentAt, knownAt);
        }

        @Override
        public long heard() {
            return deadline.deadline(0) - TIMEOUT + TIMEOUT / 100 + 2_000_000;
        }
    }

    /** A weaker rule: of two round trips a quarter of the timeout apart, the first counts. */
    private static final class Pair implements Rule {
        private final boolean fromTheAnswer;
        private final List<long[]> all = new ArrayList<>();
        private long heard;

        Pair(boolean fromTheAnswer) {
            this.fromTheAnswer = fromTheAnswer;
        }

        @Override
        public void answered(long sentAt, long answeredAt) {
            for (long[] first : all) {
                if (sentAt - first[fromTheAnswer ? 1 : 0] >= TIMEOUT / 4) {
                    heard = Math.max(heard, first[0]);
                }
            }
            all.add(new long[] {sentAt, answeredAt});
        }

        @Override
        public long heard() {
            return heard;
        }
    }

    /** A weaker rule: an answer after a lost request counts itself, instead of that request. */
    private static final class Resumed implements Rule {
        private long knownLost = Long.MAX_VALUE;
        private long heard;

        @Override
        public void lost(long sentAt, long knownAt) {
            knownLost = knownAt;
        }

        @Override
        public void answered(long sentAt, long answeredAt) {
            if (sentAt >= knownLost) {
                heard = Math.max(heard, sentAt);
                knownLost = Long.MAX_VALUE;
            }
        }

        @Override
        public long heard() {
            return heard;
        }
    }

    private record Event(long at, long order, Runnable what) {}

    /** One run; all choices come from the seed. */
    private static final class World {
        private final SplittableRandom random;
        private final Rule rule;
        private final double stalls;
        private final boolean breaks;
        private final PriorityQueue<Event> events = new PriorityQueue<>(
                (a, b) -> a.at() != b.at() ? Long.compare(a.at(), b.at()) : Long.compare(a.order(), b.order()));
        private final List<Long> unanswered = new ArrayList<>();
        private final List<Runnable> unsent = new ArrayList<>();
        private Channel toFollower = new Channel();
        private final Channel toLeader = new Channel();
        private final Channel fromLeader = new Channel();
        private Channel fromFollower = new Channel();
        private boolean connected = true;
        private int connection;
        private long order;
        private long now;
        private boolean onTheList;
        private long leaderHeard;
        private @Nullable String broken;

        World(long seed, Rule rule, double stalls, boolean breaks) {
            this.random = new SplittableRandom(seed);
            this.rule = rule;
            this.stalls = stalls;
            this.breaks = breaks;
        }

        /** Delivers in order: a late message delays the ones after it. */
        private final class Channel {
            private long free;

            void send(Runnable arrival) {
                long delay = 1 + random.nextLong(TIMEOUT / 1_000);
                if (random.nextDouble() < stalls) {
                    delay += random.nextLong(TIMEOUT / 2);
                }
                free = Math.max(free + 1, now + delay);
                at(free, arrival);
            }
        }

        private void at(long moment, Runnable what) {
            events.add(new Event(moment, order++, what));
        }

        private void ping() {
            fromLeader.send(() -> {
                boolean listed = onTheList;
                onTheList = false;
                toLeader.send(() -> leaderHeard = listed ? now : leaderHeard);
            });
            // Half a tick and the delay of the leader's loop, together less than a quarter of the timeout.
            at(now + TIMEOUT / 5 + random.nextLong(TIMEOUT / 20), this::ping);
        }

        private void request() {
            long sentAt = now;
            unanswered.add(sentAt);
            if (connected) {
                send(sentAt);
            } else {
                unsent.add(() -> send(sentAt));
            }
        }

        private void send(long sentAt) {
            int sentOn = connection;
            Channel back = fromFollower;
            toFollower.send(() -> {
                onTheList = true;
                toLeader.send(() -> fromLeader.send(() -> back.send(() -> {
                    if (sentOn == connection) {
                        answered(sentAt);
                    }
                })));
            });
        }

        /** Requests that are under way to the follower still arrive; no answer does. */
        private void breakConnection() {
            connection++;
            connected = false;
            unsent.clear();
            unanswered.forEach(sentAt -> rule.lost(sentAt, now));
            unanswered.clear();
            toFollower = new Channel();
            fromFollower = new Channel();
            at(now + random.nextLong(TIMEOUT / 8), this::reconnect);
            at(now + random.nextLong(TIMEOUT * 2), this::breakConnection);
        }

        /** The follower asks the leader whether the session is still there. */
        private void reconnect() {
            int attempt = connection;
            Channel back = fromFollower;
            toFollower.send(() -> toLeader.send(() -> {
                leaderHeard = now;
                fromLeader.send(() -> back.send(() -> {
                    if (attempt == connection) {
                        connected = true;
                        unsent.forEach(Runnable::run);
                        unsent.clear();
                    }
                }));
            }));
        }

        private void answered(long sentAt) {
            unanswered.remove(sentAt);
            rule.answered(sentAt, now);
            if (rule.heard() > leaderHeard && broken == null) {
                broken = "at " + now + " assumed " + rule.heard() + ", the leader heard " + leaderHeard;
            }
            if (random.nextInt(3) > 0) {
                request();
            }
        }

        private void requests() {
            request();
            at(now + random.nextLong(random.nextBoolean() ? TIMEOUT / 2 : TIMEOUT / 20), this::requests);
        }

        @Nullable
        String run(long until) {
            at(random.nextLong(TIMEOUT / 4), this::ping);
            at(random.nextLong(TIMEOUT / 4), this::requests);
            if (breaks) {
                at(random.nextLong(TIMEOUT), this::breakConnection);
            }
            while (now < until && broken == null) {
                Event next = events.remove();
                now = next.at();
                next.what().run();
            }
            return broken;
        }
    }

    private static long caught(Supplier<Rule> rule) {
        long caught = 0;
        for (long seed = 0; seed < WORLDS; seed++) {
            if (new World(seed, rule.get(), 0.05, seed % 2 == 0).run(10 * TIMEOUT) != null) {
                caught++;
            }
        }
        return caught;
    }

    @Test
    void after_any_stall_the_leader_has_heard_what_three_round_trips_prove() {
        for (long seed = 0; seed < WORLDS; seed++) {
            assertThat(new World(seed, new Ours(), 0.05, seed % 2 == 0).run(10 * TIMEOUT))
                    .as("seed " + seed)
                    .isNull();
        }
    }

    @Test
    void an_answer_after_a_reconnection_that_counts_itself_is_caught() {
        assertThat(caught(Resumed::new)).isPositive();
    }

    @Test
    void while_nothing_stalls_the_proven_moment_moves_on() {
        for (long seed = 0; seed < 100; seed++) {
            Ours rule = new Ours();
            World world = new World(seed, rule, 0, false);
            world.run(10 * TIMEOUT);
            assertThat(world.now - rule.heard()).as("seed " + seed).isLessThan(TIMEOUT * 5 / 4);
        }
    }

    @Test
    void two_round_trips_sent_a_quarter_apart_are_caught() {
        assertThat(caught(() -> new Pair(false))).isPositive();
    }

    @Test
    void two_round_trips_of_which_the_second_was_sent_a_quarter_after_the_answer_to_the_first_are_caught() {
        assertThat(caught(() -> new Pair(true))).isPositive();
    }
}
