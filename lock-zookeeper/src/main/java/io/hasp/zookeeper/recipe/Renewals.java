package io.hasp.zookeeper.recipe;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Renews grants: the latest beat has confirmed that their nodes exist, or the next one does, see {@link NodeConfirmation}; or a request
 * lowers their weight, or marks them as not kept any more.
 */
public final class Renewals {
    private final Session session;
    private final long started;
    private final List<Grant> grants;
    private final List<@Nullable LockNode> nodes = new ArrayList<>();
    private final IdentityHashMap<Grant, CompletableFuture<Code>> changed = new IdentityHashMap<>();

    private Renewals(List<Grant> grants, Session session, long started) {
        this.grants = grants;
        this.session = session;
        this.started = started;
    }

    /**
     * Renews all grants. A grant without a node of this session is lost.
     *
     * @param nodes finds a holder's node, null if it has none
     * @param started when the call began
     * @param confirm confirms all nodes of the session
     */
    public static CompletableFuture<List<Renewal>> of(
            List<Grant> grants,
            Function<HolderId, @Nullable LockNode> nodes,
            Session session,
            long started,
            Supplier<CompletableFuture<Void>> confirm) {
        Renewals renewals = new Renewals(grants, session, started);
        grants.forEach(grant -> renewals.add(grant, nodes.apply(grant.claim().holder())));
        CompletableFuture<?> confirmed =
                renewals.allConfirmed() ? CompletableFuture.completedFuture(null) : confirm.get();
        return renewals.changed.isEmpty()
                ? confirmed.thenApply(done -> renewals.answers())
                : confirmed.thenCombine(
                        CompletableFutures.allOf(List.copyOf(renewals.changed.values())),
                        (done, all) -> renewals.answers());
    }

    private void add(Grant grant, @Nullable LockNode node) {
        boolean here = node != null && node.held() && node.session() == session;
        nodes.add(here ? node : null);
        if (node == null || !here) {
            return;
        }
        NodeLowering lowering = node.lowering();
        RecallWatch recall = node.recall();
        if (lowering != null && lowering.isNeeded(grant.claim().share())) {
            changed.put(grant, lowering.confirm(grant.claim().share()));
        } else if (recall != null && recall.markIsDue(grant.claim())) {
            changed.put(grant, recall.mark());
        }
    }

    /** A young session's deadline is near: there an answer of now promises more than the latest beat. */
    private boolean allConfirmed() {
        if (session.grantDeadline() - started < session.timeout().toNanos() * 3 / 8) {
            return false;
        }
        long since = confirmedSince();
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            if (node != null
                    && !changed.containsKey(grants.get(i))
                    && !node.watch().confirmedSince(since)) {
                return false;
            }
        }
        return true;
    }

    /** A confirmation of the latest beat counts until the next one has its answer: a quarter of the timeout, and a round trip. */
    private long confirmedSince() {
        return started - session.timeout().toNanos() * 5 / 16;
    }

    private List<Renewal> answers() {
        long since = confirmedSince();
        Renewal.Renewed untilDeadline = new Renewal.Renewed(kept(session.grantDeadline(), started));
        List<Renewal> answers = new ArrayList<>(grants.size());
        for (int i = 0; i < grants.size(); i++) {
            Grant grant = grants.get(i);
            answers.add(renewal(grant, code(grant, nodes.get(i), since), untilDeadline));
        }
        return answers;
    }

    private @Nullable Code code(Grant grant, @Nullable LockNode node, long since) {
        CompletableFuture<Code> change = changed.get(grant);
        if (change != null || node == null) {
            return change == null ? null : change.join();
        }
        if (!node.held()) {
            return Code.NONODE;
        }
        Code result = node.watch().result();
        return result != Code.OK || node.watch().confirmedSince(since) ? result : Code.OPERATIONTIMEOUT;
    }

    /** All grants of the session have one answer, except those for a shorter lease. */
    private Renewal renewal(Grant grant, @Nullable Code answer, Renewal.Renewed untilDeadline) {
        Claim claim = grant.claim();
        if (answer == null) {
            return new Renewal.Lost("the ZooKeeper session that held it ended, or its node was deleted");
        }
        if (answer == Code.NONODE) {
            return new Renewal.Lost("somebody else deleted its node");
        }
        if (answer != Code.OK) {
            return new Renewal.Unknown(ZooKeeperFailures.of(answer, "confirm the lock '" + claim.name() + "'"));
        }
        return untilDeadline.validity().compareTo(claim.lease()) < 0
                ? untilDeadline
                : new Renewal.Renewed(claim.lease());
    }

    /** The validity of the grant, counted from {@code started}: until the session's deadline, at most the requested lease. */
    static Duration validity(Claim claim, Session session, long started) {
        Duration kept = kept(session.grantDeadline(), started);
        return kept.compareTo(claim.lease()) < 0 ? kept : claim.lease();
    }

    private static Duration kept(long deadline, long started) {
        return Duration.ofNanos(Math.max(0, deadline - started));
    }
}
