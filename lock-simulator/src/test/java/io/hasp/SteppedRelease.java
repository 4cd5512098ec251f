package io.hasp;

import io.hasp.engine.LeaseControl;
import io.hasp.engine.ReleaseCall;
import io.hasp.simulator.SteppedCall;
import java.util.concurrent.CompletionException;

/** The steps of {@link Lease#release}: it makes its requests, and sleeps. */
final class SteppedRelease implements SteppedCall<ReleaseResult> {
    private final SteppedExecutor executor = new SteppedExecutor();
    private final LeaseControl control;
    private final ReleaseCall call = new ReleaseCall(executor);
    private boolean rested;
    private boolean returned;

    SteppedRelease(LeaseControl control) {
        this.control = control;
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
