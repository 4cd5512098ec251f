package io.hasp.spring.integration;

import org.jspecify.annotations.Nullable;
import org.springframework.integration.leader.Context;

/** A context that leads only while the lease is valid by its own clock. It does not wait for the initiator's thread. */
final class LeaseContext implements Context {
    private final Context context;
    private final Leadership leadership;

    LeaseContext(Context context, Leadership leadership) {
        this.context = context;
        this.leadership = leadership;
    }

    @Override
    public boolean isLeader() {
        return context.isLeader() && leadership.holds();
    }

    @Override
    public void yield() {
        context.yield();
    }

    @Override
    public @Nullable String getRole() {
        return context.getRole();
    }

    @Override
    public String toString() {
        return context.toString();
    }
}
