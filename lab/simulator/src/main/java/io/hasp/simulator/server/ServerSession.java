package io.hasp.simulator.server;

/** A client's session with the reference server. It ends when the server has received nothing from the client for too long. */
public final class ServerSession {
    public final Connection client;
    long expiresAt;
    boolean over;

    ServerSession(Connection client, long expiresAt) {
        this.client = client;
        this.expiresAt = expiresAt;
    }
}
