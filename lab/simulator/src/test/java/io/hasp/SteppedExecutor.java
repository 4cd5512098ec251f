package io.hasp;

import io.hasp.engine.threads.RequestExecutor;
import java.util.ArrayDeque;

/** The executor of one blocking call. Each step of the call runs one request. */
final class SteppedExecutor implements RequestExecutor {
    private final ArrayDeque<Request> executor = new ArrayDeque<>();
    private final Runnable whenWoken;
    private boolean left;

    /**
     * Of one call.
     *
     * @param whenWoken run on the thread that gives the caller something to do
     */
    SteppedExecutor(Runnable whenWoken) {
        this.whenWoken = whenWoken;
    }

    @Override
    public boolean blocks() {
        return true;
    }

    @Override
    public void execute(Request request) {
        if (left) {
            request.drop();
        } else {
            executor.add(request);
            whenWoken.run();
        }
    }

    boolean none() {
        return executor.isEmpty();
    }

    /** Makes the next request; false if there is none. */
    boolean run() {
        Request request = executor.poll();
        if (request != null) {
            request.run();
        }
        return request != null;
    }

    @Override
    public void leave() {
        left = true;
        for (Request request = executor.poll(); request != null; request = executor.poll()) {
            request.drop();
        }
    }
}
