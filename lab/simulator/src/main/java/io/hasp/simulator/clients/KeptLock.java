package io.hasp.simulator.clients;

import io.hasp.spi.HolderId;

/**
 * A grant that an engine keeps without a lease.
 *
 * @param holder whose it was
 * @param serverToken the server's number of it
 * @param remaining how long the engine takes it to be good for, in nanoseconds
 * @param kept how long the engine means to keep it from now on, in nanoseconds
 */
public record KeptLock(HolderId holder, long serverToken, long remaining, long kept) {}
