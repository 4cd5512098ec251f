package io.hasp.engine;

import io.hasp.engine.lease.HeldLease;
import io.hasp.spi.LockName;

/** A lease that its holder has not given back, and its lock. */
record LeaseInUse(LockName name, HeldLease lease) {}
