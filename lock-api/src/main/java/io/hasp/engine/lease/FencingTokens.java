package io.hasp.engine.lease;

import io.hasp.spi.Grant;

/**
 * The arithmetic of fencing tokens. A public token is the server's times {@value #PER_GRANT}, plus the number of hand-offs of the grant
 * within this client. So each local holder of one grant has a token of its own.
 */
public final class FencingTokens {
    /** The number of leases in a row that may stand on one grant of the server. */
    static final int PER_GRANT = 256;

    private FencingTokens() {}

    public static long of(long serverToken, int index) {
        return serverToken * PER_GRANT + index;
    }

    public static boolean canCarry(long serverToken) {
        return serverToken > 0 && serverToken < Grant.TOKEN_LIMIT;
    }

    /** The server's part of a token; each token of a later grant is larger. */
    public static long serverToken(long token) {
        return token / PER_GRANT;
    }

    /** True if a larger token can follow this floor. */
    public static boolean validFloor(long token) {
        return token >= 0 && canCarry(serverToken(token) + 1);
    }
}
