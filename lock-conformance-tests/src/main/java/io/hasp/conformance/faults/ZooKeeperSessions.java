package io.hasp.conformance.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Ends sessions of ZooKeeper clients on the server, as a partition longer than the session timeout does. Stateless. */
public final class ZooKeeperSessions {
    private static final long SERVERS_SECRET = 0xB3415C00L;
    private static final int PASSWORD_BYTES = 16;
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private ZooKeeperSessions() {}

    /**
     * Returns the password of any session. ZooKeeper's servers derive it from the id, with a secret that is the same
     * for all.
     *
     * @param sessionId the session, such as a node's ephemeral owner
     * @return the argument for {@link #expire}
     */
    public static byte[] passwordOf(long sessionId) {
        byte[] password = new byte[PASSWORD_BYTES];
        new Random(sessionId ^ SERVERS_SECRET).nextBytes(password);
        return password;
    }

    /**
     * Expires a session: takes it over with a second client and closes it there. When this returns, the server has
     * removed the session and its ephemeral nodes. The client notices when it next reaches the server.
     *
     * @param connectString the server or the ensemble
     * @param sessionId {@link ZooKeeper#getSessionId}
     * @param password {@link ZooKeeper#getSessionPasswd}
     * @throws IllegalStateException if the session can't be taken over, for example because it no longer exists
     * @throws InterruptedException if interrupted
     */
    public static void expire(String connectString, long sessionId, byte[] password) throws InterruptedException {
        CountDownLatch decided = new CountDownLatch(1);
        try {
            ZooKeeper thief = new ZooKeeper(
                    connectString,
                    Math.toIntExact(LIMIT.toMillis()),
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected || event.getState() == KeeperState.Expired) {
                            decided.countDown();
                        }
                    },
                    sessionId,
                    password);
            try {
                if (!decided.await(LIMIT.toSeconds(), TimeUnit.SECONDS)
                        || thief.getState() != ZooKeeper.States.CONNECTED) {
                    throw new IllegalStateException(
                            "session 0x" + Long.toHexString(sessionId) + " can't be taken over: " + thief.getState());
                }
            } finally {
                thief.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
