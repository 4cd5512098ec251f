package io.hasp.simulator.server;

import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;

/** A grant on the reference server. It stays as it was when it has ended. */
public final class ServerGrant {
    public final Grant grant;
    public final ServerSession session;
    public final long grantedAt;
    long expiresAt;
    /** The part of the lock that it takes; less once its holder gave a part back. */
    public int weight;

    /** Its client may keep it, and is recalled when another client wants the lock. */
    public boolean recallable;

    /** Its holder is done, and the lock only stays taken. */
    boolean retained;

    /** The latest deadline of a lease on it that has no end of its own. */
    public long believedUntil = Long.MIN_VALUE;

    boolean over;
    /** The server broke its word: it forgot the grant, or an administrator ended it. */
    public boolean revoked;

    ServerGrant(Grant grant, ServerSession session, long grantedAt, long expiresAt) {
        this.grant = grant;
        this.session = session;
        this.grantedAt = grantedAt;
        this.expiresAt = expiresAt;
        this.weight = grant.claim().share().weight();
    }

    public HolderId holder() {
        return grant.claim().holder();
    }

    boolean isOf(HolderId holder) {
        return holder().equals(holder);
    }
}
