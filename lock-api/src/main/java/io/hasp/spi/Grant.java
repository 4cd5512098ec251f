package io.hasp.spi;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The server says that this holder has the lock. Immutable. Made by {@link #of} and read by accessors, so that a grant can come
 * to say more without a change to any backend.
 */
public final class Grant {
    /** Every {@link #token()} is below this, so that the client can number the leases that it passes on locally. */
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
     * A grant.
     *
     * @param claim what was asked
     * @param token the fencing token, as {@link #token()} describes it
     * @param validity how long the grant is good for, counted from the moment <em>before</em> the call that brought it
     * @return the grant
     */
    public static Grant of(Claim claim, long token, Duration validity) {
        return new Grant(claim, token, validity);
    }

    /**
     * What was asked.
     *
     * @return the claim
     */
    public Claim claim() {
        return claim;
    }

    /**
     * The fencing token: strictly greater for every later grant of the same lock name, equal when the same holder asks again.
     *
     * @return positive, below 2<sup>55</sup>
     */
    public long token() {
        return token;
    }

    /**
     * How long the grant is good for, counted from the moment <em>before</em> the call that brought it.
     *
     * @return the time
     */
    public Duration validity() {
        return validity;
    }

    /**
     * The same grant of another claim, such as the same holder's for another lease.
     *
     * @param other what is asked
     * @return a new grant
     */
    public Grant withClaim(Claim other) {
        return new Grant(other, token, validity);
    }

    /**
     * The same grant with another token.
     *
     * @param other the fencing token, as {@link #token()} describes it
     * @return a new grant
     */
    public Grant withToken(long other) {
        return new Grant(claim, other, validity);
    }

    /**
     * The same grant, good for another time.
     *
     * @param other counted from the moment <em>before</em> the call that brought it
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
