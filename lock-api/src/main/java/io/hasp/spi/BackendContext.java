package io.hasp.spi;

import java.util.concurrent.Executor;

/**
 * Lends the identity, the clock and the threads of a client to its backend.
 *
 * @param clientId unique among all clients of all processes, in the alphabet of {@link HolderId}
 * @param timing the clock and scheduler for all that depends on time
 * @param executor threads for work that may block; never a thread of a client library
 */
public record BackendContext(String clientId, Timing timing, Executor executor) {}
