package io.hasp.conformance.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.history.Event.Kind;
import io.hasp.conformance.history.MutexModel.Act;
import io.hasp.conformance.history.MutexModel.State;
import io.hasp.conformance.history.MutexModel.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The search with its short cuts against one without any, on many small random histories, good and bad. */
final class LinearizableAgainstBruteForceTest {
    private static final int HISTORIES = 5_000;
    private static final List<MutexModel> MODELS = List.of(MutexModel.values());
    private static final int CLIENTS = 3;
    private static final int CALLS = 3;

    /** A call; without an end it may be left out. */
    private record Call(long from, long to, Step step) {}

    @Test
    void both_say_the_same() {
        SplittableRandom random = new SplittableRandom(42);
        int sound = 0;
        for (int i = 0; i < HISTORIES; i++) {
            MutexModel model = MODELS.get(random.nextInt(MODELS.size()));
            List<Event> events = new ArrayList<>();
            List<Call> calls = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                draw(random, "c" + client, events, calls);
            }
            boolean expected = explain(model, State.FREE, calls);
            History history = History.of(events);
            assertThat(history.check(Checks.linearizable(model)) instanceof Verdict.Sound)
                    .as("%s: %s", model, events)
                    .isEqualTo(expected);
            sound += expected ? 1 : 0;
        }
        assertThat(sound).isBetween(HISTORIES / 20, HISTORIES * 19 / 20);
    }

    private static void draw(SplittableRandom random, String client, List<Event> events, List<Call> calls) {
        long now = random.nextInt(20);
        for (long attempt = 1; attempt <= CALLS && random.nextInt(4) > 0; attempt++) {
            long token = random.nextInt(1, 6);
            long asked = now;
            now += 1 + random.nextInt(20);
            boolean known = random.nextInt(6) > 0;
            events.add(new Event(asked, Kind.ACQUIRE, client, attempt, "L", 0, ""));
            events.add(
                    new Event(now, known ? Kind.GRANTED : Kind.UNKNOWN, client, attempt, "L", known ? token : 0, ""));
            Step acquire = new Step(Act.ACQUIRE, client, attempt, known ? token : 0);
            calls.add(new Call(asked, known ? now : Attempt.NEVER, acquire));
            if (!known) {
                calls.add(new Call(now, Attempt.NEVER, new Step(Act.EXPIRE, client, attempt, 0)));
                continue;
            }
            if (random.nextInt(4) == 0) {
                continue;
            }
            long released = now + 1;
            now = released + random.nextInt(20);
            boolean held = random.nextInt(5) > 0;
            events.add(new Event(released, Kind.RELEASE, client, attempt, "L", 0, ""));
            events.add(new Event(now, held ? Kind.RELEASED : Kind.NOT_HELD, client, attempt, "L", 0, ""));
            calls.add(new Call(
                    released, now, new Step(held ? Act.RELEASE : Act.REFUSED_RELEASE, client, attempt, token)));
            now++;
        }
    }

    private static boolean explain(MutexModel model, State state, List<Call> left) {
        if (left.stream().allMatch(call -> call.to() == Attempt.NEVER)) {
            return true;
        }
        long firstEnd = left.stream().mapToLong(Call::to).min().orElseThrow();
        for (Call call : left) {
            if (call.from() > firstEnd) {
                continue;
            }
            List<Call> others = new ArrayList<>(left);
            others.remove(call);
            if (model.step(state, call.step())
                    .filter(after -> explain(model, after, others))
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }
}
