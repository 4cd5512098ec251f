package io.hasp.zookeeper;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Until when the servers certainly keep a session, judged from its round trips to the leader: when each request was sent,
 * and when its answer was there. Thread-safe.
 *
 * <p>The leader ends sessions. It hears of a client that is connected to a follower only when that answers one of its pings,
 * which it sends every half tick; a request that it serves tells it nothing. So the latest answer proves little, and the
 * number of answers proves nothing: a stall delivers many requests together, and the follower may be cut off before the next
 * ping. Three round trips prove the first one, if the second was sent a quarter of the timeout after the first was answered,
 * and the third after the second was answered:
 *
 * <ol>
 *   <li>The first reached the follower before it was answered: the follower has it on its list for the leader.
 *   <li>The leader sent its next ping within half a tick after that answer, which is less than a quarter of the timeout, and so
 *       before it saw the second request. What it sends arrives in order: the follower served the ping, and wrote its list
 *       to the leader, before it passed on the second answer.
 *   <li>What the follower sends arrives in order as well: the leader had the list before the third request, which it answered.
 * </ol>
 *
 * <p>How long anything was under way does not matter, so no stall and no pause of a process makes it wrong. A session that
 * moves to another server, or gets another leader, begins anew there, later than the first request was sent.
 *
 * <p>Before there are three, the moment counts at which the session was made. Where that is not known, the client library's own
 * pings have to stand in for the first half of the timeout after the first request: they are a third of it apart, and the
 * leader knows of each a quarter later. Only this assumes that neither the process nor its connection stood still.
 */
final class Confirmations {
    private static final long CLOCK_GRAIN = Duration.ofMillis(2).toNanos();

    /** Round trips closer together than this share of the timeout count as one. */
    private static final int GRAINS = 64;

    private record RoundTrip(long sentAt, long answeredAt) {}

    private final ArrayDeque<RoundTrip> candidates = new ArrayDeque<>();
    private long timeout;
    private boolean any;
    private long heard;
    private long guessingUntil;
    private @Nullable RoundTrip lastSecond;
    private long promised;

    /**
     * For a session.
     *
     * @param timeout the negotiated session timeout
     * @param madeAt a moment of the monotonic clock before the session was made, if one is known
     */
    Confirmations(Duration timeout, OptionalLong madeAt) {
        this.timeout = timeout.toNanos();
        madeAt.ifPresent(moment -> begin(moment, moment));
    }

    private void begin(long moment, long guessUntil) {
        any = true;
        heard = moment;
        promised = moment;
        guessingUntil = guessUntil;
    }

    /** How long after an answer the next request has to be sent to prove it. */
    static Duration spacing(Duration timeout) {
        return timeout.dividedBy(4);
    }

    /** The negotiated timeout, or the shortest one if there were several. */
    synchronized Duration timeout() {
        return Duration.ofNanos(timeout);
    }

    /**
     * The session was taken up again, with this timeout. A longer one changes nothing: the next leader might know only the one
     * before.
     */
    synchronized void renegotiated(Duration now) {
        timeout = Math.min(timeout, now.toNanos());
    }

    /** The leader answered a request. */
    synchronized void answered(long sentAt, long answeredAt) {
        long known = sentAt - timeout * 7 / 12;
        if (!any) {
            begin(known, sentAt + timeout / 2);
        }
        if (guessingUntil - sentAt > 0) {
            hear(known);
        }
        prove(sentAt);
        RoundTrip last = candidates.peekLast();
        if (last == null || sentAt - last.sentAt >= timeout / GRAINS) {
            candidates.addLast(new RoundTrip(sentAt, answeredAt));
        }
    }

    /** Looks for the latest round trip that one sent at this moment, as the third, proves; once for each second. */
    private void prove(long third) {
        Iterator<RoundTrip> latestFirst = candidates.descendingIterator();
        while (latestFirst.hasNext()) {
            RoundTrip second = latestFirst.next();
            if (third - second.answeredAt >= 0) {
                if (!second.equals(lastSecond)) {
                    lastSecond = second;
                    provenBy(second, latestFirst);
                }
                return;
            }
        }
    }

    private void provenBy(RoundTrip second, Iterator<RoundTrip> before) {
        while (before.hasNext()) {
            RoundTrip first = before.next();
            if (second.sentAt - first.answeredAt >= timeout / 4) {
                hear(first.sentAt);
                candidates.removeIf(each -> heard - each.sentAt >= 0);
                return;
            }
        }
    }

    private void hear(long moment) {
        heard += Math.max(0, moment - heard);
    }

    /**
     * Until when the session is safe, drift of the clocks allowed for.
     *
     * @param now the present moment, returned if nothing is known yet
     */
    synchronized long deadline(long now) {
        if (!any) {
            return now;
        }
        long deadline = heard + timeout - timeout / 100 - CLOCK_GRAIN;
        promised += Math.max(0, deadline - promised);
        return deadline;
    }

    /** Whether a later deadline was told before, which has not passed yet: the timeout has become shorter since. */
    synchronized boolean promisedTooMuch(long now) {
        return promised - deadline(now) > 0 && promised - now > 0;
    }
}
