package io.hasp;

import io.hasp.simulator.clients.SteppedCall;
import java.util.function.Supplier;

/** A blocking call each step of which runs on a thread that is marked as one of the program's. */
final class SteppedUserCall<T> implements SteppedCall<T> {
    private final ClientContext client;
    private final SteppedCall<T> call;

    /** Begins the call. */
    SteppedUserCall(ClientContext client, Supplier<SteppedCall<T>> begun) {
        this.client = client;
        boolean entered = client.engine.threads().enterUser();
        try {
            call = begun.get();
        } finally {
            client.engine.threads().leaveUser(entered);
        }
    }

    @Override
    public boolean ready() {
        return call.ready();
    }

    @Override
    public boolean step() {
        boolean entered = client.engine.threads().enterUser();
        try {
            boolean returned = call.step();
            if (returned) {
                client.events.deliverWaiting();
            }
            return returned;
        } finally {
            client.engine.threads().leaveUser(entered);
        }
    }

    @Override
    public void interrupt() {
        call.interrupt();
    }

    @Override
    public T result() {
        return call.result();
    }
}
