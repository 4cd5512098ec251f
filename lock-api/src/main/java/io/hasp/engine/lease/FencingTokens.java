package io.hasp.engine.lease;

import io.hasp.spi.Grant;

/**
 * The arithmetic of fencing tokens: a public token is the server's times {@value #PER_GRANT}, plus how often the grant was
 * passed on within this client. So each of the local holders of one grant has a token of its own.
 */
public final class FencingTokens {
    /** How many leases in a row may stand on one grant of the server. */
    static final int PER_GRANT = 256;

    private FencingTokens() {}

    static long of(long serverToken, int index) {
        return serverToken * PER_GRANT + index;
    }

    public static boolean canCarry(long serverToken) {
        return serverToken > 0 && serverToken < Grant.TOKEN_LIMIT;
    }

    /** The server's number behind a token; every token of a grant above it is larger. */
    public static long serverToken(long token) {
        return token / PER_GRANT;
    }

    /** Whether a larger token can follow this floor. */
    public static boolean validFloor(long token) {
        return token >= 0 && canCarry(serverToken(token) + 1);
    }
}
