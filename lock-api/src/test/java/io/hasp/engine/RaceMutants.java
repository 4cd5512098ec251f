package io.hasp.engine;

import io.hasp.engine.RaceMutant.Explorer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The faults of synchronization that are put into the engine's classes around its drivers. */
final class RaceMutants {
    /**
     * Those that no race has shown yet: real threads met them in no run of 4 to 20 s on a busy machine, or were not asked, and nothing says that they do no
     * harm. They are looked at with {@code -Dhasp.mutant=}, by a part of the name.
     */
    static final Set<String> NOT_SHOWN = Set.of(
            "what a broken starter leaves is looked at without the lock",
            "who waits for the end comes without the lock",
            "the caller says that it has left after it looked for turns",
            "the end of calls is seen late",
            "the client closes after the look at its drivers",
            "a lease is known after its timer was set",
            "timers are set without the lock",
            "a tick forgets the timer that was set meanwhile",
            "a renewal looks too early whether a tick takes it",
            "a tick looks for renewals before its end",
            "what comes at the end of a batch is not renewed",
            "the end of a batch is seen late",
            "the end of a tick is seen late");

    private RaceMutants() {}

    static List<RaceMutant> all() {
        return Stream.of(DriverMutants.all(), ofTurns(), ofObservers(), ofExecutor(), ofCalls(), ofTimer(), ofEngine())
                .flatMap(List::stream)
                .toList();
    }

    /** Of one class and one test. */
    record Pair(Class<?> type, Class<?> test) {
        RaceMutant mutant(String name, String race, String original, String replacement) {
            return new RaceMutant(name, type, original, replacement, test, race, Explorer.REAL_THREADS);
        }

        /** One that real threads meet too seldom. */
        RaceMutant rare(String name, String race, String original, String replacement) {
            return new RaceMutant(name, type, original, replacement, test, race, Explorer.INTERLEAVINGS);
        }
    }

    private static List<RaceMutant> ofTurns() {
        Pair turns = new Pair(CallerTurns.class, CallerTurnsRaceTest.class);
        Pair forced = new Pair(CallerTurns.class, ForcedRaceTest.class);
        String awaited = "caller_sleeps_through_no_turn";
        String left = "each_turn_is_run_or_dropped_when_the_caller_leaves";
        return List.of(
                turns.mutant(
                        "a turn wakes nobody",
                        awaited,
                        "        } else if (Thread.currentThread() != caller) {\n            LockSupport.unpark(caller);\n        }\n",
                        "        }\n"),
                turns.mutant(
                        "a result wakes nobody",
                        left,
                        "        result.whenComplete((value, failure) -> LockSupport.unpark(caller));\n",
                        ""),
                turns.mutant(
                        "a turn comes without the lock",
                        awaited,
                        "        synchronized (this) {\n            late = left;",
                        "        {\n            late = left;"),
                turns.mutant(
                        "a turn is taken without the lock",
                        awaited,
                        "private synchronized @Nullable Turn next()",
                        "private @Nullable Turn next()"),
                turns.mutant("a turn comes after the caller has left", left, "late = left;", "late = false;"),
                turns.rare(
                        "the caller says that it has left after it looked for turns",
                        left,
                        "        synchronized (this) {\n            left = true;\n        }\n        for (Turn turn = next(); turn != null; turn = next()) {\n            turn.drop();\n        }\n",
                        "        for (Turn turn = next(); turn != null; turn = next()) {\n            turn.drop();\n        }\n        synchronized (this) {\n            left = true;\n        }\n"),
                forced.mutant(
                        "the caller sleeps although a turn came",
                        "turn_that_woke_its_caller_elsewhere_is_run",
                        "if (isEmpty() && !result.isDone()) {",
                        "if (!result.isDone()) {"),
                forced.mutant(
                        "the caller sleeps although the result is there",
                        "result_that_woke_its_caller_elsewhere_is_seen",
                        "if (isEmpty() && !result.isDone()) {",
                        "if (isEmpty()) {"),
                forced.mutant(
                        "the caller does not help the driver",
                        "starter_that_waits_within_an_effect_gets_what_it_waits_for",
                        "                    driver.help();\n",
                        ""));
    }

    private static List<RaceMutant> ofObservers() {
        Pair observers = new Pair(LeaseObservers.class, ThreadsRaceTest.class);
        String told = "observer_is_told_everything_in_order";
        return List.of(
                observers.mutant(
                        "news that comes at the end of telling is not told",
                        told,
                        "while (!news.isEmpty() && telling",
                        "if (!news.isEmpty() && telling"),
                observers.mutant(
                        "two threads tell at once", told, "telling.compareAndSet(false, true)", "!telling.get()"),
                observers.mutant(
                        "the end of telling is seen late", told, "telling.set(false);", "telling.setPlain(false);"));
    }

    private static List<RaceMutant> ofExecutor() {
        Pair executor = new Pair(LosslessExecutor.class, ThreadsRaceTest.class);
        String refused = "task_that_is_refused_while_the_client_ends_runs_once";
        return List.of(
                executor.mutant(
                        "a task is refused after the look at the end",
                        refused,
                        "        refused.add(task);\n        try {\n            if (!ended) {\n",
                        "        try {\n            if (!ended) {\n                refused.add(task);\n"),
                executor.mutant(
                        "the end comes after the look at refused tasks",
                        refused,
                        "        ended = true;\n        refused.forEach(Task::run);",
                        "        refused.forEach(Task::run);\n        ended = true;"),
                executor.mutant(
                        "the end of the executor is seen late",
                        refused,
                        "private volatile boolean ended;",
                        "private boolean ended;"),
                executor.mutant(
                        "a task begins twice",
                        "task_that_is_tried_again_while_the_client_ends_runs_once",
                        "if (begun.compareAndSet(false, true)) {",
                        "if (!begun.get()) {\n                begun.set(true);"),
                new Pair(EngineThreads.class, ThreadsRaceTest.class)
                        .mutant(
                                "requests do not end with the threads",
                                "task_that_comes_while_the_threads_are_stopped_runs",
                                "        requests.end();\n",
                                ""));
    }

    private static List<RaceMutant> ofCalls() {
        Pair calls = new Pair(UnansweredCalls.class, ThreadsRaceTest.class);
        String called = "call_that_begins_while_the_client_ends_is_answered";
        String put = "        unanswered.put(key, future);\n";
        String whenComplete = "        future.whenComplete((value, failure) -> unanswered.remove(key));\n";
        String look = "        if (ended) {\n            fail(future);\n        }\n";
        return List.of(
                calls.mutant("a call does not look whether the client has ended", called, look, ""),
                calls.mutant(
                        "a call looks too early whether the client has ended",
                        called,
                        put + whenComplete + look,
                        look + put + whenComplete),
                calls.mutant(
                        "the end comes after the look at calls",
                        called,
                        "        ended = true;\n        unanswered.values().forEach(UnansweredCalls::fail);",
                        "        unanswered.values().forEach(UnansweredCalls::fail);\n        ended = true;"),
                calls.mutant(
                        "the end of calls is seen late",
                        called,
                        "private volatile boolean ended;",
                        "private boolean ended;"));
    }

    private static List<RaceMutant> ofTimer() {
        Pair timer = new Pair(RenewalTimer.class, RenewalTimerRaceTest.class);
        String set = "lease_that_comes_during_a_tick_is_looked_at_in_time";
        String atOnce = "renewal_that_is_wanted_during_another_is_sent";
        String inTick = "renewal_that_is_wanted_during_a_tick_is_sent";
        String end =
                "            ticking = false;\n            if (next < Nanos.FOREVER) {\n                tickBy(next);\n            }\n            renewDue();\n";
        return List.of(
                timer.mutant(
                        "a lease is known after its timer was set",
                        set,
                        "            leases.put(lease, machine);\n            tickBy(at);",
                        "            tickBy(at);\n            leases.put(lease, machine);"),
                timer.mutant(
                        "a later timer replaces an earlier one",
                        set,
                        "        synchronized (this) {\n            if (moment >= nextTick) {\n                return;\n            }\n",
                        "        synchronized (this) {\n"),
                timer.mutant(
                        "timers are set without the lock",
                        set,
                        "        synchronized (this) {\n            if (moment >= nextTick) {",
                        "        {\n            if (moment >= nextTick) {"),
                timer.mutant(
                        "a tick forgets the timer that was set meanwhile",
                        set,
                        "            next = look();\n",
                        "            next = look();\n            nextTick = Nanos.FOREVER;\n"),
                timer.mutant(
                        "a renewal looks too early whether a tick takes it",
                        inTick,
                        "        due.add(lease);\n        if (!ticking) {",
                        "        boolean taken = ticking;\n        due.add(lease);\n        if (!taken) {"),
                timer.mutant(
                        "a tick looks for renewals before its end",
                        inTick,
                        end,
                        "            renewDue();\n            ticking = false;\n"),
                timer.mutant(
                        "what comes at the end of a batch is not renewed",
                        atOnce,
                        "            renewDue();\n        }\n    }\n\n    /** Each batch",
                        "        }\n    }\n\n    /** Each batch"),
                timer.mutant(
                        "the end of a batch is seen late", atOnce, "renewing.set(false);", "renewing.setPlain(false);"),
                timer.mutant(
                        "the end of a tick is seen late",
                        inTick,
                        "private volatile boolean ticking;",
                        "private boolean ticking;"));
    }

    private static List<RaceMutant> ofEngine() {
        Pair engine = new Pair(LockEngine.class, EngineRaceTest.class);
        String closed = "nothing_is_held_when_callers_came_while_the_client_closed";
        return List.of(
                engine.mutant(
                        "who comes while the client closes does not look",
                        closed,
                        "                if (closing) {\n                    // It",
                        "                if (false) {\n                    // It"),
                engine.mutant(
                        "the client closes after the look at its drivers",
                        closed,
                        "        closing = true;\n        drivers.values()\n                .forEach(driver -> LosslessExecutor.contained(() -> driver.apply(new Event.Closing(services.pool))));\n",
                        "        drivers.values()\n                .forEach(driver -> LosslessExecutor.contained(() -> driver.apply(new Event.Closing(services.pool))));\n        closing = true;\n"),
                engine.mutant(
                        "two drivers for one name",
                        "callers_come_and_go",
                        "        LockDriver other = drivers.putIfAbsent(name, fresh);\n        return other == null ? fresh : other;\n",
                        "        drivers.put(name, fresh);\n        return fresh;\n"));
    }
}
