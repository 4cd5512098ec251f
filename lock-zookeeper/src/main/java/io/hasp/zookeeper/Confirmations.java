package io.hasp.zookeeper;

import java.time.Duration;
import java.util.ArrayDeque;

/**
 * Until when the server certainly keeps a session, judged from the requests that a quorum has acknowledged. Thread-safe.
 *
 * <p>The latest acknowledged request proves little: a follower forwards it to the leader, but tells the leader only with
 * the next ping (every half tick) that the session is alive; cut off between the two, the session ends a timeout after
 * what the leader heard <em>before</em>. So a request counts once another one, sent a quarter of the timeout later, was
 * acknowledged as well: on the same ordered channel the news of the first has then reached the leader, because a session
 * timeout is at least two ticks. Before there is such a pair, the client library's own pings stand in: it is never silent
 * for longer than a third of the timeout, and the leader knows it a quarter later at most.
 */
final class Confirmations {
    private static final long CLOCK_GRAIN = Duration.ofMillis(2).toNanos();

    private final long timeout;
    private final ArrayDeque<Long> sends = new ArrayDeque<>();
    private boolean any;
    private long latest;

    /**
     * For a new session.
     *
     * @param timeout the negotiated session timeout
     */
    Confirmations(Duration timeout) {
        this.timeout = timeout.toNanos();
    }

    /** How far apart two requests must be for the later one to prove the earlier one. */
    static Duration spacing(Duration timeout) {
        return timeout.dividedBy(4);
    }

    /** A quorum acknowledged a request that was sent at this moment of the monotonic clock. */
    synchronized void acknowledged(long sentAt) {
        latest = any ? latest + Math.max(0, sentAt - latest) : sentAt;
        any = true;
        if (sends.isEmpty() || sentAt - sends.getLast() >= timeout / 64) {
            sends.addLast(sentAt);
        }
        while (sends.size() > 1 && proven(second())) {
            sends.removeFirst();
        }
    }

    private long second() {
        var each = sends.iterator();
        each.next();
        return each.next();
    }

    private boolean proven(long sentAt) {
        return latest - sentAt >= timeout / 4;
    }

    /**
     * Until when the session is safe, drift of the clocks allowed for.
     *
     * @param now the present moment, returned if nothing was acknowledged yet
     */
    synchronized long deadline(long now) {
        if (!any) {
            return now;
        }
        long alone = latest - timeout * 7 / 12;
        long paired = sends.getFirst();
        long counted = proven(paired) && paired - alone > 0 ? paired : alone;
        return counted + timeout - timeout / 100 - CLOCK_GRAIN;
    }
}
