package io.hasp.zookeeper;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Confirms grants: a quorum says that their nodes are there, which also moves the deadline of their session. */
final class Renewals {
    private Renewals() {}

    /**
     * Asks for all grants whose node this session still has.
     *
     * @param places where a holder's place is found, if it has one
     * @param started when the caller asked
     */
    static CompletableFuture<List<Renewal>> of(
            List<Grant> grants, Function<HolderId, @Nullable Place> places, Session session, long started) {
        List<Place> asked = new ArrayList<>();
        for (Grant grant : grants) {
            Place place = places.apply(grant.claim().holder());
            if (place != null && place.held() && place.session() == session) {
                asked.add(place);
            }
        }
        return session.check(asked.stream().map(Place::node).toList()).thenApply(codes -> {
            Map<HolderId, Code> answers = new HashMap<>();
            for (int i = 0; i < codes.size(); i++) {
                answers.put(asked.get(i).holder(), codes.get(i));
            }
            return grants.stream()
                    .map(Grant::claim)
                    .map(claim -> renewal(claim, answers.get(claim.holder()), session, started))
                    .toList();
        });
    }

    private static Renewal renewal(Claim claim, @Nullable Code answer, Session session, long started) {
        if (answer == null) {
            return new Renewal.Lost("the ZooKeeper session that held it ended, or its node was deleted");
        }
        if (answer == Code.NONODE) {
            return new Renewal.Lost("its node was deleted by somebody else");
        }
        if (answer != Code.OK) {
            return new Renewal.Unknown(Failures.of(answer, "confirm the lock '" + claim.name() + "'"));
        }
        return new Renewal.Renewed(validity(claim, session, started));
    }

    /** For how long after {@code started} the claim's holder may rely on the session, and no longer than it asked for. */
    static Duration validity(Claim claim, Session session, long started) {
        Duration kept = Duration.ofNanos(Math.max(0, session.deadline() - started));
        return kept.compareTo(claim.lease()) < 0 ? kept : claim.lease();
    }
}
