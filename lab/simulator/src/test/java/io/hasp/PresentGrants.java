package io.hasp;

import io.hasp.engine.LockEngine;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.KeptGrant;
import io.hasp.engine.machine.LockMachine;
import io.hasp.simulator.clients.KeptLock;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.lang.reflect.Field;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The grants under an engine's leases, and the grants that it keeps. Found by reflection. */
final class PresentGrants {
    private static final String ENGINE = LockEngine.class.getPackageName() + ".";
    private static final Field DRIVERS = field("LockEngine", "drivers");
    private static final Field NAME = field("machine.NameAndCapacity", "name");
    private static final Field MACHINE = field("driver.LockDriver", "machine");
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

    private @Nullable LockMachine machineOf(String name) {
        LockName wanted = new LockName(name);
        try {
            for (Map.Entry<?, ?> driver : ((Map<?, ?>) DRIVERS.get(engine)).entrySet()) {
                if (wanted.equals(NAME.get(driver.getKey()))) {
                    return (LockMachine) MACHINE.get(driver.getValue());
                }
            }
            return null;
        } catch (IllegalAccessException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    /** The grant that a lock keeps without a lease; null if there is none. Times count from the moment of the engine's clock. */
    @Nullable
    KeptLock kept(String name, long now) {
        LockMachine machine = machineOf(name);
        KeptGrant kept = machine == null ? null : machine.kept();
        if (kept == null) {
            return null;
        }
        try {
            Grant grant = kept.last.grant;
            long confirmed = CONFIRMED_UNTIL.getLong(kept.last.renewal);
            return new KeptLock(grant.claim().holder(), grant.token(), confirmed - now, kept.until - now);
        } catch (IllegalAccessException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    /** The holder of the grant under the lease of a lock; null if no lease is alive. */
    @Nullable
    HolderId holder(String name) {
        LockMachine machine = machineOf(name);
        HeldLease lease = machine == null ? null : machine.holder();
        return lease == null || !lease.alive() ? null : lease.grant.claim().holder();
    }
}
