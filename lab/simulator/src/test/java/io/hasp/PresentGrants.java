package io.hasp;

import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.LockEngine;
import io.hasp.simulator.KeptLock;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.lang.reflect.Field;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an engine has of its locks at present: the grants under its leases, and those that it keeps. Found by reflection. */
final class PresentGrants {
    private static final String ENGINE = LockEngine.class.getPackageName() + ".";
    private static final Field DRIVERS = field("LockEngine", "drivers");
    private static final Field NAME = field("machine.NameAndCapacity", "name");
    private static final Field MACHINE = field("driver.LockDriver", "machine");
    private static final Field STATE = field("machine.LockMachine", "lock");
    private static final Field KEPT = field("machine.LockState", "kept");
    private static final Field HOLDER = field("machine.LockState", "holder");
    private static final Field LAST = field("lease.KeptGrant", "last");
    private static final Field UNTIL = field("lease.KeptGrant", "until");
    private static final Field GRANT = field("lease.HeldLease", "grant");
    private static final Field RENEWAL = field("lease.HeldLease", "renewal");
    private static final Field CONFIRMED_UNTIL = field("lease.GrantRenewal", "confirmedUntil");

    private final LockEngine engine;

    PresentGrants(LockEngine engine) {
        this.engine = engine;
    }

    private static Field field(String type, String name) {
        try {
            Field field = Class.forName(ENGINE + type).getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    private @Nullable Object stateOf(String name) throws IllegalAccessException {
        LockName wanted = new LockName(name);
        for (Map.Entry<?, ?> driver : ((Map<?, ?>) DRIVERS.get(engine)).entrySet()) {
            if (wanted.equals(NAME.get(driver.getKey()))) {
                return STATE.get(MACHINE.get(driver.getValue()));
            }
        }
        return null;
    }

    /** What is kept of a lock without a lease; null if nothing. Times count from the moment of the engine's clock. */
    @Nullable
    KeptLock kept(String name, long now) {
        try {
            Object state = stateOf(name);
            Object kept = state == null ? null : KEPT.get(state);
            if (kept == null) {
                return null;
            }
            HeldLease last = (HeldLease) LAST.get(kept);
            Grant grant = (Grant) GRANT.get(last);
            return new KeptLock(
                    grant.claim().holder(),
                    grant.token(),
                    CONFIRMED_UNTIL.getLong(RENEWAL.get(last)) - now,
                    UNTIL.getLong(kept) - now);
        } catch (IllegalAccessException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    /** On whose grant the lease of a lock stands; null if none is alive. */
    @Nullable
    HolderId holder(String name) {
        try {
            Object state = stateOf(name);
            HeldLease lease = state == null ? null : (HeldLease) HOLDER.get(state);
            return lease == null || !lease.alive()
                    ? null
                    : ((Grant) GRANT.get(lease)).claim().holder();
        } catch (IllegalAccessException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }
}
