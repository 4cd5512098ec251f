package io.hasp.simulator.clients;

import io.hasp.spi.HolderId;

/**
 * A grant that an engine keeps without a lease.
 *
 * @param holder its former holder
 * @param serverToken the server's number of it
 * @param remaining the time for which the engine takes it to be good, in nanoseconds
 * @param kept the time for which the engine means to keep it from now on, in nanoseconds
 */
public record KeptLock(HolderId holder, long serverToken, long remaining, long kept) {}
