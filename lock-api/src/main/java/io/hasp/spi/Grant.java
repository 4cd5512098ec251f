package io.hasp.spi;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Proves that the server has given the lock to a holder. Immutable. Created by {@link #of} and read by accessors, so that a new property of
 * grants changes no backend.
 */
public final class Grant {
    /** The limit of every {@link #token()}: below it, the client can number the leases that it hands off locally. */
    public static final long TOKEN_LIMIT = 1L << 55;

    private final Claim claim;
    private final long token;
    private final Duration validity;

    private Grant(Claim claim, long token, Duration validity) {
        this.claim = claim;
        this.token = token;
        this.validity = validity;
    }

    /**
     * Creates a grant.
     *
     * @param claim the request
     * @param token the fencing token, see {@link #token()}
     * @param validity the time that the grant is valid, from the moment <em>before</em> the call that brought it
     * @return the grant
     */
    public static Grant of(Claim claim, long token, Duration validity) {
        return new Grant(claim, token, validity);
    }

    /**
     * Returns the request.
     *
     * @return the claim
     */
    public Claim claim() {
        return claim;
    }

    /**
     * Returns the fencing token: strictly greater for every later grant of the same lock name, equal when the same holder repeats its
     * request.
     *
     * @return positive, below 2<sup>55</sup>
     */
    public long token() {
        return token;
    }

    /**
     * Returns the time that the grant is valid, from the moment <em>before</em> the call that brought it.
     *
     * @return the time
     */
    public Duration validity() {
        return validity;
    }

    /**
     * Returns this grant for another claim, such as the same holder's for another lease.
     *
     * @param other the request
     * @return a new grant
     */
    public Grant withClaim(Claim other) {
        return new Grant(other, token, validity);
    }

    /**
     * Returns this grant with another token.
     *
     * @param other the fencing token, see {@link #token()}
     * @return a new grant
     */
    public Grant withToken(long other) {
        return new Grant(claim, other, validity);
    }

    /**
     * Returns this grant with another validity.
     *
     * @param other from the moment <em>before</em> the call that brought it
     * @return a new grant
     */
    public Grant withValidity(Duration other) {
        return new Grant(claim, token, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Grant that
                && token == that.token
                && claim.equals(that.claim)
                && validity.equals(that.validity);
    }

    @Override
    public int hashCode() {
        return Objects.hash(claim, token, validity);
    }

    /** Names the claim, the token and the validity, for logs. */
    @Override
    public String toString() {
        return "Grant[" + claim + ", token " + token + ", good for " + validity + "]";
    }
}
