package io.hasp.conformance.random;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.AttemptLog;

/**
 * A call for a lock that has begun.
 *
 * @param run of which run
 * @param planned what is called
 * @param client through which client
 * @param thread by which thread
 * @param entry where it is noted
 * @param use what the name is used as
 * @param at when it began
 */
record AskedCall(
        RandomRun run,
        PlannedCall planned,
        ClientSlot.Opened client,
        String thread,
        CallLog.Entry entry,
        KindsInUse.Use use,
        long at) {

    static AskedCall of(
            RandomRun run, PlannedCall planned, ClientSlot.Opened client, String thread, CallLog.Entry entry) {
        KindsInUse.Use use = run.kinds.begin(planned.lock(), planned.mode().mode());
        return new AskedCall(run, planned, client, thread, entry, use, System.nanoTime());
    }

    /** The history of an acquisition by this thread. */
    AttemptLog acquiring(LockMode mode) {
        return run.log.acquiring(client.name + "/" + thread, run.lock(planned.lock()), mode);
    }
}
