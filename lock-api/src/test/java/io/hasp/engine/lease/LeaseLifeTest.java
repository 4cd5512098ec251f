package io.hasp.engine.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.LeaseLife.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every state meets every event, before, at and after the doubt and the deadline: 4 states x 6 kinds of event x 6 moments. */
class LeaseLifeTest {
    private static final long DEADLINE = 1_000;
    private static final long CAP = 5_000;
    private static final long SUSPECT_AT = 700;
    private static final long VALIDITY = 900;

    private static final List<Event> EVENTS = List.of(
            new Event.Confirmed(DEADLINE + 500, VALIDITY),
            new Event.Confirmed(DEADLINE - 500, VALIDITY),
            new Event.Confirmed(CAP + 500, VALIDITY),
            new Event.Doubted(""),
            new Event.Doubted("refused"),
            new Event.Denied("gone"),
            new Event.GivenBack(),
            new Event.Recapped(DEADLINE - 100),
            new Event.Recapped(CAP + 100),
            new Event.Ticked());

    static Stream<Arguments> everything() {
        List<Arguments> all = new ArrayList<>();
        for (LeaseLife.State state : LeaseLife.State.values()) {
            for (Event event : EVENTS) {
                for (long now : new long[] {0, SUSPECT_AT - 1, SUSPECT_AT, DEADLINE - 1, DEADLINE, DEADLINE + 1}) {
                    all.add(Arguments.of(new LeaseLife(state, DEADLINE, CAP, SUSPECT_AT, ""), event, now));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void an_ended_lease_never_changes(LeaseLife life, Event event, long now) {
        if (life.ended()) {
            assertThat(life.on(event, now)).isEqualTo(life);
        }
    }

    @ParameterizedTest
    @MethodSource("everything")
    void after_the_deadline_everything_finds_it_lost(LeaseLife life, Event event, long now) {
        if (!life.ended() && now >= DEADLINE) {
            assertThat(life.on(event, now).state()).isEqualTo(LeaseLife.State.LOST);
        }
    }

    @ParameterizedTest
    @MethodSource("everything")
    void before_the_deadline_each_event_has_its_one_effect(LeaseLife life, Event event, long now) {
        if (life.ended() || now >= DEADLINE) {
            return;
        }
        LeaseLife after = life.on(event, now);
        if (event instanceof Event.Confirmed confirmed) {
            assertThat(after.state()).isEqualTo(LeaseLife.State.HELD);
            assertThat(after.deadline()).isEqualTo(Math.min(Math.max(DEADLINE, confirmed.deadline()), CAP));
        } else if (event instanceof Event.Recapped recapped) {
            assertThat(after.state()).isEqualTo(life.state());
            assertThat(after.cap()).isEqualTo(recapped.cap());
            assertThat(after.deadline()).isEqualTo(Math.min(DEADLINE, recapped.cap()));
        } else {
            assertThat(after.deadline()).isEqualTo(DEADLINE);
            assertThat(after.state()).isEqualTo(expected(life.state(), event, now));
        }
    }

    private static LeaseLife.State expected(LeaseLife.State before, Event event, long now) {
        return event instanceof Event.Doubted || (event instanceof Event.Ticked && now >= SUSPECT_AT)
                ? LeaseLife.State.SUSPECT
                : event instanceof Event.Denied
                        ? LeaseLife.State.LOST
                        : event instanceof Event.GivenBack ? LeaseLife.State.RELEASED : before;
    }

    @ParameterizedTest
    @MethodSource("everything")
    void the_deadline_never_passes_the_cap_and_a_lost_lease_says_why(LeaseLife life, Event event, long now) {
        LeaseLife after = life.on(event, now);
        assertThat(after.deadline()).isLessThanOrEqualTo(Math.max(after.cap(), DEADLINE));
        if (after.state() == LeaseLife.State.LOST && life.state() != LeaseLife.State.LOST) {
            assertThat(after.reason()).isNotBlank();
        }
    }

    @Test
    void a_lease_that_is_lost_in_doubt_says_what_the_last_doubt_was() {
        LeaseLife doubted = new LeaseLife(LeaseLife.State.HELD, DEADLINE, CAP, SUSPECT_AT, "")
                .on(new Event.Doubted("no answer"), 1)
                .on(new Event.Doubted("wrong password"), 2)
                .on(new Event.Recapped(CAP + 100), 3)
                .on(new Event.Ticked(), SUSPECT_AT);
        assertThat(doubted.on(new Event.Ticked(), DEADLINE).reason())
                .isEqualTo("it was not confirmed before its deadline: wrong password");
        assertThat(doubted.on(new Event.Confirmed(DEADLINE + 500, VALIDITY), 4)
                        .on(new Event.Ticked(), CAP)
                        .reason())
                .isEqualTo("it was not confirmed before its deadline");
    }

    @ParameterizedTest
    @MethodSource("everything")
    void only_these_ways_lead_from_state_to_state(LeaseLife life, Event event, long now) {
        Set<LeaseLife.State> allowed = switch (life.state()) {
            case HELD, SUSPECT -> Set.of(LeaseLife.State.values());
            case LOST -> Set.of(LeaseLife.State.LOST);
            case RELEASED -> Set.of(LeaseLife.State.RELEASED);
        };
        assertThat(allowed).contains(life.on(event, now).state());
    }

    @Test
    void it_is_suspect_when_a_third_of_its_validity_is_left_without_a_confirmation() {
        LeaseLife life = LeaseLife.held(1_000, CAP, 900);
        assertThat(life.on(new Event.Ticked(), 699).state()).isEqualTo(LeaseLife.State.HELD);
        LeaseLife suspect = life.on(new Event.Ticked(), 700);
        assertThat(suspect.state()).isEqualTo(LeaseLife.State.SUSPECT);
        LeaseLife confirmed = suspect.on(new Event.Confirmed(1_800, 900), 800);
        assertThat(confirmed.state()).isEqualTo(LeaseLife.State.HELD);
        assertThat(confirmed.on(new Event.Ticked(), 1_499).state()).isEqualTo(LeaseLife.State.HELD);
        assertThat(confirmed.on(new Event.Ticked(), 1_500).state()).isEqualTo(LeaseLife.State.SUSPECT);
    }

    @Test
    void a_lease_that_is_to_end_is_not_suspect_before_it() {
        LeaseLife life = LeaseLife.held(1_000, 1_000, 900);
        assertThat(life.on(new Event.Ticked(), 999).state()).isEqualTo(LeaseLife.State.HELD);
    }
}
