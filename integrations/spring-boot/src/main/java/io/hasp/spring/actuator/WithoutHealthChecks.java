package io.hasp.spring.actuator;

import io.hasp.LockEvent;
import io.hasp.LockListener;

/** Hides the attempts of {@link LockClientsCheck} from a listener: they are no work of the application. */
public record WithoutHealthChecks(LockListener listener) implements LockListener {

    @Override
    public boolean isNonBlocking() {
        return listener.isNonBlocking();
    }

    @Override
    public void onEvent(LockEvent event) {
        if (!event.lock().equals(LockClientsCheck.LOCK)) {
            listener.onEvent(event);
        }
    }
}
