package io.hasp.redis;

import static io.hasp.conformance.history.LossReport.before;

import io.hasp.redis.LeaseWitness.Stored;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.TimeUnit;

/** The end of one lease by the looks at its servers. Stateless. */
final class LeaseEnd {
    /** A lease that ends later by more than this was renewed: two looks at one expiry differ by less. */
    private static final long RENEWED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private LeaseEnd() {}

    /**
     * Describes the end around a loss.
     *
     * @param looks at the lock, by their moments
     * @param token on the server
     * @param lost when the client found the lease lost
     */
    static String describe(NavigableMap<Long, Stored> looks, long token, long lost) {
        long renewed = 0;
        long ends = Long.MIN_VALUE;
        long last = 0;
        for (Map.Entry<Long, Stored> look : looks.entrySet()) {
            if (look.getValue().token() == token) {
                last = look.getKey();
                long end = last + TimeUnit.MILLISECONDS.toNanos(look.getValue().left());
                if (ends == Long.MIN_VALUE || end - ends > RENEWED_NANOS) {
                    renewed = last;
                    ends = end;
                }
            }
        }
        if (last == 0) {
            return "no look at the server found it";
        }
        return "the last renewal reached the server " + before(renewed, lost) + " and was good until "
                + before(ends, lost) + "; the server had it for the last time " + before(last, lost);
    }
}
