package io.hasp.zookeeper.recipe;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.HolderId;
import io.hasp.spi.Renewal;
import io.hasp.zookeeper.session.CompletableFutures;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Renews grants: a quorum confirms that their nodes exist, lowers their weight, or marks them as not kept any more. Each also moves the
 * deadline of their session.
 */
public final class Renewals {
    private Renewals() {}

    /**
     * Renews all grants. A grant without a node of this session is lost.
     *
     * @param nodes finds a holder's node, null if it has none
     * @param started when the call began
     */
    public static CompletableFuture<List<Renewal>> of(
            List<Grant> grants, Function<HolderId, @Nullable LockNode> nodes, Session session, long started) {
        Map<HolderId, LockNode> checked = new HashMap<>();
        Map<HolderId, CompletableFuture<Code>> changed = new HashMap<>();
        for (Grant grant : grants) {
            LockNode node = nodes.apply(grant.claim().holder());
            if (node == null || !node.held() || node.session() != session) {
                continue;
            }
            NodeLowering lowering = node.lowering();
            RecallWatch recall = node.recall();
            if (lowering != null && lowering.isNeeded(grant.claim().share())) {
                changed.put(
                        grant.claim().holder(), lowering.confirm(grant.claim().share()));
            } else if (recall != null && recall.markIsDue(grant.claim())) {
                changed.put(grant.claim().holder(), recall.mark());
            } else {
                checked.put(grant.claim().holder(), node);
            }
        }
        return check(checked, session).thenCombine(allOf(changed), (answers, others) -> {
            answers.putAll(others);
            return grants.stream()
                    .map(Grant::claim)
                    .map(claim -> renewal(claim, answers.get(claim.holder()), session, started))
                    .toList();
        });
    }

    /**
     * Readers may share a node. A node that another call lowers at the same time may have left the checked path: the next renewal decides.
     */
    private static CompletableFuture<Map<HolderId, Code>> check(Map<HolderId, LockNode> holders, Session session) {
        List<LockNode> nodes = holders.values().stream().distinct().toList();
        List<String> paths = nodes.stream().map(LockNode::path).toList();
        return session.check(paths).thenApply(codes -> {
            Map<LockNode, Code> answers = new HashMap<>();
            for (int i = 0; i < codes.size(); i++) {
                LockNode node = nodes.get(i);
                boolean moved = codes.get(i) == Code.NONODE && node.maybeMovedFrom(paths.get(i));
                answers.put(node, moved ? Code.OPERATIONTIMEOUT : codes.get(i));
            }
            Map<HolderId, Code> ofHolders = new HashMap<>();
            holders.forEach((holder, node) -> ofHolders.put(holder, answers.get(node)));
            return ofHolders;
        });
    }

    private static CompletableFuture<Map<HolderId, Code>> allOf(Map<HolderId, CompletableFuture<Code>> answers) {
        return CompletableFutures.allOf(List.copyOf(answers.values())).thenApply(all -> {
            Map<HolderId, Code> codes = new HashMap<>();
            answers.forEach((holder, answer) -> codes.put(holder, answer.join()));
            return codes;
        });
    }

    private static Renewal renewal(Claim claim, @Nullable Code answer, Session session, long started) {
        if (answer == null) {
            return new Renewal.Lost("the ZooKeeper session that held it ended, or its node was deleted");
        }
        if (answer == Code.NONODE) {
            return new Renewal.Lost("somebody else deleted its node");
        }
        if (answer != Code.OK) {
            return new Renewal.Unknown(ZooKeeperFailures.of(answer, "confirm the lock '" + claim.name() + "'"));
        }
        return new Renewal.Renewed(validity(claim, session, started));
    }

    /** The validity of the grant, counted from {@code started}: until the session's deadline, at most the requested lease. */
    static Duration validity(Claim claim, Session session, long started) {
        Duration kept = Duration.ofNanos(Math.max(0, session.deadline() - started));
        return kept.compareTo(claim.lease()) < 0 ? kept : claim.lease();
    }
}
