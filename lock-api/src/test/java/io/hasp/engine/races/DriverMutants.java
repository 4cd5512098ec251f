package io.hasp.engine.races;

import io.hasp.engine.driver.DriverEffectsRaceTest;
import io.hasp.engine.driver.DriverRetiresRaceTest;
import io.hasp.engine.driver.LockDriver;
import io.hasp.engine.machine.OwnEffectsTest;
import io.hasp.engine.races.RaceMutants.Pair;
import io.hasp.engine.threads.FailStopTest;
import java.util.List;
import java.util.stream.Stream;

/** The faults of synchronization that are put into the driver. */
final class DriverMutants {
    private DriverMutants() {}

    static List<RaceMutant> all() {
        return Stream.of(ofEffects(), ofTheEnd(), ofObservers(), ofRetirement())
                .flatMap(List::stream)
                .toList();
    }

    private static List<RaceMutant> ofEffects() {
        Pair driver = new Pair(LockDriver.class, DriverEffectsRaceTest.class);
        Pair forced = new Pair(LockDriver.class, ForcedRaceTest.class);
        String twoEvents = "effects_of_two_events_are_started_once_and_in_order";
        Pair own = new Pair(LockDriver.class, OwnEffectsTest.class);
        String helps = "starter_that_waits_within_an_effect_starts_the_rest";
        return List.of(
                driver.mutant(
                        "two events are applied at once",
                        twoEvents,
                        "            synchronized (this) {\n                if (retired && !evenIfRetired) {",
                        "            {\n                if (retired && !evenIfRetired) {"),
                driver.mutant(
                        "the next effects are taken without the lock",
                        twoEvents,
                        "private synchronized Next refill()",
                        "private Next refill()"),
                forced.mutant(
                        "nobody is known as the starter",
                        "effects_that_come_during_an_effect_are_left_to_its_starter",
                        "        starter = Thread.currentThread();\n        return Next.EFFECTS;\n",
                        "        return Next.EFFECTS;\n"),
                driver.mutant(
                        "the starter stays when there is nothing to start",
                        twoEvents,
                        "            starter = null;\n            return retires()",
                        "            return retires()"),
                driver.mutant(
                        "the starter does not look for new effects",
                        twoEvents,
                        "            started = 0;\n        }\n        takeNewEffects();\n",
                        "            started = 0;\n        }\n"),
                own.mutant(
                        "a caller starts what comes for others",
                        "effects_that_come_for_others_are_a_workers",
                        "(onTimer || turn >= most) && passesOn()",
                        "onTimer && passesOn()"),
                own.mutant(
                        "the timer starts what users notice",
                        "timer_starts_nothing_that_users_notice",
                        "            if (onTimer && !EffectStarter.unnoticed(effect)) {\n                return null;\n            }\n",
                        ""),
                own.mutant(
                        "a starter calls the program's executor",
                        "executor_that_blocks_its_caller_holds_up_nobody",
                        "if (executorCalls != NONE && effectStarter.callsPool(effect))",
                        "if (false)"),
                own.mutant(
                        "a starter that waits keeps the effects of others",
                        "starter_that_waits_within_an_effect_holds_up_nobody",
                        "            if (leavesRole()) {\n                return;\n            }\n",
                        ""),
                driver.mutant(
                        "effects go to the batch that is being started",
                        twoEvents,
                        "machine.on(event, services.now(), effects);",
                        "machine.on(event, services.now(), batch);"),
                forced.mutant(
                        "a thread is woken within the effects",
                        "thread_that_is_woken_does_not_wait_for_the_one_that_woke_it",
                        "started == batch.size() && executorCalls.isEmpty()",
                        "started > batch.size() && executorCalls.isEmpty()"),
                forced.mutant(
                        "the last effect is not started if it only wakes a thread",
                        "thread_that_is_woken_does_not_wait_for_the_one_that_woke_it",
                        "                if (wakeUp != null) {\n                    effectStarter.start(wakeUp);\n                } else",
                        "                if (wakeUp == null)"),
                forced.mutant(
                        "whoever waits starts the effects of another thread",
                        "thread_that_only_waits_leaves_the_effects_to_their_starter",
                        "while (starter == Thread.currentThread() && ",
                        "while (starter != null && "),
                driver.mutant(
                        "a starter that waits starts nothing",
                        helps,
                        "while (starter == Thread.currentThread() && ",
                        "while (starter == null && "),
                driver.mutant(
                        "a starter that waits takes new effects without the lock",
                        helps,
                        "            synchronized (this) {\n                if (effects.isEmpty()) {",
                        "            {\n                if (effects.isEmpty()) {"));
    }

    private static List<RaceMutant> ofTheEnd() {
        Pair driver = new Pair(LockDriver.class, DriverEffectsRaceTest.class);
        Pair forced = new Pair(LockDriver.class, FailStopTest.class);
        String fails = "loss_is_told_once_when_the_client_fails_within_an_effect";
        return List.of(
                driver.mutant(
                        "a failed client tells of no loss", fails, "        last.forEach(effectStarter::start);\n", ""),
                forced.mutant(
                        "a lease is held although its client has failed",
                        "lease_is_lost_before_the_ending_comes_to_it",
                        "services.failStop.failed() ? lostByFailure(known, now) : known;",
                        "known;"),
                forced.mutant(
                        "a failed client takes events",
                        "event_that_comes_after_the_failure_changes_nothing",
                        "services.failStop.failed() ? Next.NOTHING : take(event)",
                        "take(event)"));
    }

    private static List<RaceMutant> ofObservers() {
        Pair driver = new Pair(LockDriver.class, DriverEffectsRaceTest.class);
        String observed = "observer_that_comes_at_the_end_is_told_once";
        return List.of(
                driver.mutant(
                        "an observer comes without the lock",
                        observed,
                        "        synchronized (this) {\n            present = lease.life().state();",
                        "        {\n            present = lease.life().state();"),
                driver.rare(
                        "who waits for the end comes without the lock",
                        "who_waits_for_the_end_of_a_lease_hears_of_it",
                        "        synchronized (this) {\n            if (lease.alive()) {\n                lease.whenEnded(task);",
                        "        {\n            if (lease.alive()) {\n                lease.whenEnded(task);"));
    }

    private static List<RaceMutant> ofRetirement() {
        Pair driver = new Pair(LockDriver.class, DriverRetiresRaceTest.class);
        String users = "two_users_leave";
        String holder = "user_leaves_while_the_lease_is_released";
        return List.of(
                driver.rare(
                        "a user comes without the lock",
                        users,
                        "    public synchronized boolean enter() {",
                        "    public boolean enter() {"),
                driver.mutant(
                        "a user leaves without the lock",
                        users,
                        "        synchronized (this) {\n            users--;",
                        "        {\n            users--;"),
                driver.mutant("it retires twice", users, "if (retired || starter != null", "if (starter != null"),
                driver.rare("it retires with users", holder, "users > 0 || ", ""),
                driver.mutant("it retires with a lease", holder, " || !machine.idle()) {", ") {"),
                new Pair(LockDriver.class, ForcedRaceTest.class)
                        .mutant(
                                "it retires before its last effects",
                                "driver_does_not_retire_within_its_last_effect",
                                "starter != null || ",
                                ""),
                driver.mutant(
                        "a contender joins a retired one", users, "if (retired && !evenIfRetired) {", "if (false) {"),
                driver.mutant(
                        "a user enters a retired one", users, "        return !retired;", "        return true;"));
    }
}
