package io.hasp.engine.races;

import io.hasp.engine.EngineRaceTest;
import io.hasp.engine.LockEngine;
import io.hasp.engine.WaitingCaller;
import io.hasp.engine.WaitingCallerRaceTest;
import io.hasp.engine.driver.RenewalTimer;
import io.hasp.engine.driver.RenewalTimerRaceTest;
import io.hasp.engine.driver.RenewalTimerTest;
import io.hasp.engine.driver.UnansweredCalls;
import io.hasp.engine.lease.LeaseObservers;
import io.hasp.engine.races.RaceMutant.Explorer;
import io.hasp.engine.threads.EngineThreads;
import io.hasp.engine.threads.IdleFirstQueue;
import io.hasp.engine.threads.IdleFirstQueueTest;
import io.hasp.engine.threads.LosslessExecutor;
import io.hasp.engine.threads.ThreadsRaceTest;
import java.util.List;
import java.util.stream.Stream;

/** The faults of synchronization that are put into the engine's classes around its drivers. */
final class RaceMutants {
    private RaceMutants() {}

    static List<RaceMutant> all() {
        return Stream.of(
                        DriverMutants.all(),
                        ofTurns(),
                        ofObservers(),
                        ofExecutor(),
                        ofPool(),
                        ofCalls(),
                        ofTimer(),
                        ofEngine())
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
        Pair executor = new Pair(WaitingCaller.class, WaitingCallerRaceTest.class);
        Pair forced = new Pair(WaitingCaller.class, ForcedRaceTest.class);
        String awaited = "caller_sleeps_through_no_turn";
        String left = "each_turn_is_run_or_dropped_when_the_caller_leaves";
        return List.of(
                executor.mutant(
                        "a request wakes nobody",
                        awaited,
                        "        } else if (Thread.currentThread() != caller) {\n            LockSupport.unpark(caller);\n        }\n",
                        "        }\n"),
                executor.mutant(
                        "a result wakes nobody",
                        left,
                        "        result.whenComplete((value, failure) -> LockSupport.unpark(caller));\n",
                        ""),
                executor.mutant(
                        "a request comes without the lock",
                        awaited,
                        "        synchronized (this) {\n            late = left;",
                        "        {\n            late = left;"),
                executor.mutant(
                        "a request is taken without the lock",
                        awaited,
                        "private synchronized @Nullable Request next()",
                        "private @Nullable Request next()"),
                executor.mutant("a request comes after the caller has left", left, "late = left;", "late = false;"),
                executor.rare(
                        "the caller says that it has left after it looked for requests",
                        "turn_that_comes_while_the_caller_leaves_is_dropped",
                        "        synchronized (this) {\n            left = true;\n            dropped = first;",
                        "        synchronized (this) {\n            dropped = first;\n            first = null;\n        }\n        synchronized (this) {\n            left = true;"),
                forced.mutant(
                        "the caller sleeps although a request came",
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
                        "                    driver.help(result);\n",
                        ""));
    }

    private static List<RaceMutant> ofObservers() {
        Pair observers = new Pair(LeaseObservers.class, ThreadsRaceTest.class);
        String observed = "observer_is_told_everything_in_order";
        return List.of(
                observers.mutant(
                        "news that comes at the end of telling is not told",
                        observed,
                        "while (!news.isEmpty() && notifying",
                        "if (!news.isEmpty() && notifying"),
                observers.mutant(
                        "two threads tell at once",
                        observed,
                        "notifying.compareAndSet(false, true)",
                        "!notifying.get()"),
                observers.mutant(
                        "the end of notifying is seen late",
                        observed,
                        "notifying.set(false);",
                        "notifying.setPlain(false);"));
    }

    private static List<RaceMutant> ofExecutor() {
        Pair executor = new Pair(LosslessExecutor.class, ThreadsRaceTest.class);
        String refused = "task_that_is_refused_while_the_client_ends_runs_once";
        return List.of(
                executor.mutant(
                        "a task is refused after the look at the end",
                        refused,
                        "        if (!task.isRefused()) {\n            return;\n        }\n        try {\n            if (!ended) {\n",
                        "        try {\n            if (!ended) {\n                if (!task.isRefused()) {\n                    return;\n                }\n"),
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
                        "boolean first = begun.compareAndSet(false, true);",
                        "boolean first = !begun.get();\n            begun.set(true);"),
                new Pair(EngineThreads.class, ThreadsRaceTest.class)
                        .mutant(
                                "requests do not end with the threads",
                                "task_that_comes_while_the_threads_are_stopped_runs",
                                "        requests.end();\n        background.end();\n",
                                ""));
    }

    private static List<RaceMutant> ofPool() {
        Pair pool = new Pair(IdleFirstQueue.class, IdleFirstQueueTest.class);
        String ending = "task_never_waits_for_another_while_idle_threads_end";
        return List.of(
                pool.mutant(
                        "an idle thread ends although a task was left to it",
                        ending,
                        "            while (task == null && !takesSpare()) {\n",
                        "            for (int left = task == null ? spare.decrementAndGet() : 0; left > 99; left--) {\n"),
                pool.mutant(
                        "a thread whose wait was interrupted counts as idle",
                        ending,
                        "if (interrupted) {",
                        "if (false) {"),
                pool.mutant(
                        "one idle thread is left for two tasks",
                        ending,
                        "if (spare.compareAndSet(present, present - 1)) {",
                        "if (spare.decrementAndGet() < present + 9) {"));
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
                        "        ended = true;\n        unanswered.values().forEach(this::fail);",
                        "        unanswered.values().forEach(this::fail);\n        ended = true;"),
                calls.mutant(
                        "the end of calls is seen late",
                        "end_of_calls_is_seen_in_time",
                        "private volatile boolean ended;",
                        "private boolean ended;"));
    }

    private static List<RaceMutant> ofTimer() {
        Pair timer = new Pair(RenewalTimer.class, RenewalTimerRaceTest.class);
        Pair forced = new Pair(RenewalTimer.class, RenewalTimerTest.class);
        Pair queue = new Pair(RenewalTimerRaceTest.QUEUE, RenewalTimerRaceTest.class);
        Pair order = new Pair(RenewalTimerRaceTest.QUEUE, RenewalTimerTest.class);
        String set = "lease_that_comes_during_a_tick_is_looked_at_in_time";
        String twoSet = "leases_that_come_at_once_are_looked_at_in_time";
        String atOnce = "renewal_that_is_wanted_during_another_is_sent";
        String endOfTick = "end_of_a_tick_is_seen_in_time";
        return List.of(
                timer.rare(
                        "a lease is known after its timer was set",
                        set,
                        "            alarms.set(subject, machine, at);\n            tickBy(at);\n",
                        "            tickBy(at);\n            alarms.set(subject, machine, at);\n"),
                queue.rare(
                        "an entry whose slot is taken is not looked at",
                        twoSet,
                        "        beside.forEach(this::enqueue);\n",
                        ""),
                timer.rare(
                        "a later timer replaces an earlier one",
                        twoSet,
                        "        synchronized (this) {\n            if (moment >= nextTick) {\n                return;\n            }\n",
                        "        synchronized (this) {\n"),
                timer.rare(
                        "timers are set without the lock",
                        twoSet,
                        "        synchronized (this) {\n            if (moment >= nextTick) {",
                        "        {\n            if (moment >= nextTick) {"),
                timer.rare(
                        "a tick forgets the timer that was set meanwhile",
                        set,
                        "        long next = look();\n",
                        "        long next = look();\n        nextTick = Nanos.FOREVER;\n"),
                timer.mutant(
                        "a renewal looks too early whether a tick takes it",
                        endOfTick,
                        "        due.add(lease);\n        if (!ticking) {",
                        "        boolean taken = ticking;\n        due.add(lease);\n        if (!taken) {"),
                order.mutant(
                        "an alarm that comes nearer leaves its entry where it is",
                        "an_alarm_that_moved_on_and_comes_nearer_again_is_heard_in_time",
                        "        } else if (present.moment > at) {",
                        "        } else if (present.moment < 0) {"),
                order.mutant(
                        "an entry that ends stays in its bucket",
                        "alarms_that_move_to_and_fro_are_all_heard_in_time_and_leave_no_entry",
                        "        take(entry);\n        entry.bucket = ENDED;\n",
                        "        entry.bucket = ENDED;\n"),
                forced.mutant(
                        "an entry stays behind its alarm",
                        "an_alarm_that_moved_on_and_comes_nearer_again_is_heard_in_time",
                        "            alarms.putBack(entry);\n",
                        ""),
                queue.rare(
                        "an entry moves to an alarm that is not the latest",
                        "alarm_that_comes_nearer_while_its_entry_moves_is_looked_at_in_time",
                        "        } while (at != entry.subject.alarm);\n",
                        "        } while (at < 0);\n"),
                forced.mutant(
                        "a tick looks for renewals before its end",
                        "renewal_that_is_wanted_when_a_tick_sends_others_is_sent",
                        "        ticking = false;\n        if (next < Nanos.FOREVER) {\n            tickBy(next);\n        }\n        renewDue();\n",
                        "        renewDue();\n        ticking = false;\n        if (next < Nanos.FOREVER) {\n            tickBy(next);\n        }\n"),
                timer.rare(
                        "a lease is looked at and taken in two steps",
                        atOnce,
                        "            HeldLease lease = due.poll();\n",
                        "            HeldLease lease = due.peek();\n            due.poll();\n"),
                queue.mutant(
                        "two ticks at once forget a lease",
                        "leases_stay_watched_when_two_ticks_overlap",
                        "    synchronized List<Entry> takeDue(",
                        "    List<Entry> takeDue("),
                timer.mutant(
                        "the end of a tick is seen late",
                        endOfTick,
                        "private volatile boolean ticking;",
                        "private boolean ticking;"));
    }

    private static List<RaceMutant> ofEngine() {
        Pair engine = new Pair(LockEngine.class, EngineRaceTest.class);
        Pair forced = new Pair(LockEngine.class, ForcedRaceTest.class);
        return List.of(
                engine.mutant(
                        "who comes while the client closes does not look",
                        "no_caller_waits_that_came_while_the_client_closes",
                        "        if (joined && closing) {\n            // It",
                        "        if (false) {\n            // It"),
                forced.mutant(
                        "the client closes after the look at its drivers",
                        "callers_who_come_while_a_client_that_closes_looks_at_its_drivers_hear_of_that",
                        "        closing = true;\n        goBeyondClosing(new Event.GivingEverythingBack(services.pool));\n",
                        "        applyToAll(new Event.GivingEverythingBack(services.pool));\n        closing = true;\n"),
                engine.rare(
                        "a caller that comes while the client ends owes for ever",
                        "nothing_is_tried_again_when_a_caller_came_while_the_client_ended",
                        "            driver.apply(new Event.Closed());\n",
                        ""),
                engine.mutant(
                        "two drivers for one name",
                        "callers_come_and_go",
                        "        LockDriver other = drivers.putIfAbsent(lock, fresh);\n        return other == null ? fresh : other;\n",
                        "        drivers.put(lock, fresh);\n        return fresh;\n"));
    }
}
