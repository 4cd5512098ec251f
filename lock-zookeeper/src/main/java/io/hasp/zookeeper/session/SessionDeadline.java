package io.hasp.zookeeper.session;

import io.hasp.spi.ClockMargin;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Computes the moment until which the servers certainly keep a session. It follows from the session's round trips to the leader: when each
 * request was sent, and when its answer arrived. Thread-safe.
 *
 *
 * <p>The leader ends sessions. It learns of a client that is connected to a follower only when the follower answers one of its pings,
 * which it sends every half tick. A request that the leader serves does not prolong the session. So the latest answer proves little, and
 * the number of answers proves nothing: after a stall many requests arrive together, and the follower may be cut off before the next ping.
 * Three round trips prove the first one, if the second was sent a quarter of the timeout after the first was answered, and the third was
 * sent after the second was answered:
 *
 * <ol>
 *   <li>The first reached the follower before it was answered: the follower has it on its list for the leader.
 *   <li>The leader sent its next ping within half a tick after that answer, which is less than a quarter of the timeout, and so
 *       before it saw the second request. What it sends arrives in order: the follower served the ping, and wrote its list
 *       to the leader, before it passed on the second answer.
 *   <li>What the follower sends arrives in order as well: the leader had the list before the third request, which it answered.
 * </ol>
 *
 * <p>It does not matter how long a message was under way, so no stall and no pause of a process breaks the proof. A session that
 * moves to another server, or gets another leader, starts again there, later than the first request was sent.
 *
 * <p>A connection that ends leaves requests without an answer. A later request that is answered went through another connection, which
 * was begun after they were lost, and so after they were sent. A server that resumes a session asks the leader first, which counts the
 * session's timeout anew then. So the answer proves the lost requests, too.
 *
 * <p>Before there are three round trips, the deadline counts from the session's creation. If that moment is unknown, the client library's
 * own pings are taken as the proof for the first half of the timeout after the first request: they are a third of the timeout apart, and
 * each reaches the leader within a quarter. Only this assumes that neither the process nor its connection stood still.
 */
public final class SessionDeadline {
    /** Round trips closer together than this share of the timeout count as one. */
    private static final int RESOLUTION = 64;

    private record RoundTrip(long sentAt, long answeredAt) {}

    /** The round trips that are not proven yet. */
    private final ArrayDeque<RoundTrip> roundTrips = new ArrayDeque<>();

    private long timeout;
    private boolean started;
    private long confirmedAt;
    private long pingsCountUntil;
    /** The latest of all. It may be too close to the one before to be in the queue, and still prove more. */
    private @Nullable RoundTrip latest;
    /** The latest request that was lost with its connection, and when that was known. */
    private @Nullable RoundTrip lost;

    private long latestDeadline;

    /**
     * Creates the deadline of a session.
     *
     * @param timeout the negotiated session timeout
     * @param createdAt a moment of the monotonic clock before the session was created, if one is known
     */
    SessionDeadline(Duration timeout, OptionalLong createdAt) {
        this.timeout = timeout.toNanos();
        createdAt.ifPresent(moment -> begin(moment, moment));
    }

    private void begin(long moment, long guessUntil) {
        started = true;
        confirmedAt = moment;
        latestDeadline = moment;
        pingsCountUntil = guessUntil;
    }

    /** The time after an answer from which the next request can prove the first one. */
    public static Duration probeInterval(Duration timeout) {
        return timeout.dividedBy(4);
    }

    /** The probe interval of a session that an application uses as well. Frequent probes make up for round trips that a stall hides. */
    public static Duration frequentProbeInterval(Duration timeout) {
        return timeout.dividedBy(16);
    }

    /** The negotiated timeout, or the shortest one if there were several. */
    synchronized Duration timeout() {
        return Duration.ofNanos(timeout);
    }

    /**
     * The session was resumed on another server with this timeout. A longer one changes nothing: the next leader might know only
     * the previous one.
     */
    synchronized void renegotiated(Duration now) {
        timeout = Math.min(timeout, now.toNanos());
    }

    /** The leader answered a request. */
    synchronized void answered(long sentAt, long answeredAt) {
        long known = sentAt - timeout * 7 / 12;
        if (!started) {
            begin(known, sentAt + timeout / 2);
        }
        if (pingsCountUntil - sentAt > 0) {
            confirm(known);
        }
        proveLost(sentAt);
        prove(sentAt);
        latest = new RoundTrip(sentAt, answeredAt);
        RoundTrip last = roundTrips.peekLast();
        if (last == null || sentAt - last.sentAt >= timeout / RESOLUTION) {
            roundTrips.addLast(latest);
        }
    }

    /** The connection ended after the request was sent, and before it was answered. */
    synchronized void lost(long sentAt, long knownAt) {
        if (lost == null || sentAt - lost.sentAt > 0) {
            lost = new RoundTrip(sentAt, knownAt);
        }
    }

    /** Adds an answered request that was sent at this moment. */
    private void proveLost(long answered) {
        if (lost != null && answered - lost.answeredAt >= 0) {
            confirm(lost.sentAt);
            lost = null;
        }
    }

    /**
     * Adds a third round trip that was sent at this moment: finds the latest second round trip, and all first round trips that the two
     * prove.
     */
    private void prove(long third) {
        RoundTrip second = latestAnsweredBy(third);
        while (second != null
                && !roundTrips.isEmpty()
                && second.sentAt - roundTrips.getFirst().answeredAt >= timeout / 4) {
            confirm(roundTrips.removeFirst().sentAt);
        }
    }

    private @Nullable RoundTrip latestAnsweredBy(long moment) {
        if (latest != null && moment - latest.answeredAt >= 0) {
            return latest;
        }
        Iterator<RoundTrip> latestFirst = roundTrips.descendingIterator();
        while (latestFirst.hasNext()) {
            RoundTrip roundTrip = latestFirst.next();
            if (moment - roundTrip.answeredAt >= 0) {
                return roundTrip;
            }
        }
        return null;
    }

    private void confirm(long moment) {
        confirmedAt += Math.max(0, moment - confirmedAt);
    }

    /**
     * Returns the moment until which the servers keep the session, less the clock margin.
     *
     * @param now the present moment, returned if nothing is known yet
     */
    synchronized long deadline(long now) {
        if (!started) {
            return now;
        }
        long deadline = confirmedAt + timeout - ClockMargin.ofNanos(timeout);
        latestDeadline += Math.max(0, deadline - latestDeadline);
        return deadline;
    }

    /** True if an earlier call returned a later deadline that has not passed: the timeout has become shorter since. */
    synchronized boolean deadlineMovedEarlier(long now) {
        return latestDeadline - deadline(now) > 0 && latestDeadline - now > 0;
    }
}
