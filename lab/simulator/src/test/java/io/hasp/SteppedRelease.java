package io.hasp;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.lease.ReleaseCall;
import io.hasp.simulator.clients.SteppedCall;
import java.util.concurrent.CompletionException;

/** The steps of {@link Lease#release}: it makes its requests, and sleeps. */
final class SteppedRelease implements SteppedCall<ReleaseResult> {
    private final SteppedExecutor executor;
    private final Runnable whenWoken;
    private final LeaseControl control;
    private final ReleaseCall call;
    private boolean rested;
    private boolean returned;

    SteppedRelease(LeaseControl control, Runnable whenWoken) {
        this.executor = new SteppedExecutor(whenWoken);
        this.whenWoken = whenWoken;
        this.control = control;
        this.call = new ReleaseCall(executor);
        control.giveBack(call);
    }

    @Override
    public boolean ready() {
        return !returned && (call.result.isDone() || !executor.none() || !rested);
    }

    @Override
    public boolean step() {
        if (call.result.isDone()) {
            returned = true;
            executor.leave();
        } else if (!executor.run() && !rested) {
            rested = true;
            call.result.whenComplete((found, thrown) -> whenWoken.run());
            control.track(call);
        }
        return returned;
    }

    @Override
    public ReleaseResult result() {
        try {
            return ReleaseResult.valueOf(call.result.join().name());
        } catch (CompletionException e) {
            throw SteppedAnswer.translated("could not confirm the release", e);
        }
    }
}
