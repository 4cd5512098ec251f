package io.hasp.redis.redlock;

import io.hasp.redis.inspect.ShownLocks;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.Inspector.Content;
import io.hasp.spi.Inspector.Holder;
import io.hasp.spi.Inspector.Waiter;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One lock, merged from the views of the nodes.
 *
 * @param at the place of the lock in the views
 */
record MergedLock(Quorum quorum, List<NodeView> views, int at) {

    /** True if a node that was listed before has a grant or a waiter of the lock. */
    boolean isOnAnEarlierNode(RedlockCursor present) {
        return IntStream.range(0, present.node())
                .anyMatch(
                        i -> !present.leftOut().get(i) && views.get(i).lock(at).isPresent());
    }

    /**
     * Returns the lock; empty if it certainly has no holder, and no waiter is known. Grants that are too few, but could be enough together
     * with nodes that did not answer, are shown by node only.
     */
    Optional<Content> content(LockName name) {
        List<ShownLocks.Used> used = views.stream()
                .map(view -> view.lock(at))
                .flatMap(Optional::stream)
                .toList();
        List<Holder> holders = confirmed();
        List<Waiter> waiters = waiters(holders);
        if (holders.isEmpty() && waiters.isEmpty() && !mayBeHeld()) {
            return Optional.empty();
        }
        long newest = used.stream().mapToLong(ShownLocks.Used::newest).max().orElse(0);
        int waiting = Math.max(
                waiters.size(),
                used.stream().mapToInt(ShownLocks.Used::waiting).max().orElse(0));
        return Optional.of(new Content(name, 1, holders, waiters, waiting, newest, readAt(), nodes()));
    }

    private List<Inspector.Node> nodes() {
        return views.stream()
                .map(view -> new Inspector.Node(
                        view.address(),
                        view.failure(at),
                        view.holders(at).stream()
                                .map(holder -> with(holder, token(holder.id())))
                                .filter(holder -> holder.token() > 0)
                                .toList()))
                .toList();
    }

    /** A node need not have acknowledged the token of a grant that it has. If none has, the attempt is still under way. */
    private long token(HolderId id) {
        return views.stream()
                .flatMap(view -> view.holders(at).stream())
                .filter(holder -> holder.id().equals(id))
                .mapToLong(Holder::token)
                .max()
                .orElse(0);
    }

    private static Holder with(Holder holder, long token) {
        return new Holder(
                holder.id(), token, holder.weight(), holder.state(), holder.label(), holder.since(), holder.left());
    }

    /** The lower median, as tokens follow it. */
    private Instant readAt() {
        List<Instant> clocks = views.stream()
                .flatMap(view -> view.shown().stream())
                .map(ShownLocks::readAt)
                .sorted()
                .toList();
        return clocks.get((clocks.size() - 1) / 2);
    }

    private Collection<List<Holder>> grants() {
        Map<HolderId, List<Holder>> grants =
                views.stream().flatMap(view -> view.holders(at).stream()).collect(Collectors.groupingBy(Holder::id));
        return grants.values();
    }

    private boolean mayBeHeld() {
        int unknown = (int)
                views.stream().filter(view -> view.failure(at).isPresent()).count();
        return grants().stream().anyMatch(grant -> quorum.reached(grant.size() + unknown)) && unknown > 0;
    }

    /** The grants of a majority whose token was acknowledged; until then the attempt is under way. */
    private List<Holder> confirmed() {
        return grants().stream()
                .filter(grant -> quorum.reached(grant.size()))
                .map(this::merged)
                .filter(holder -> holder.token() > 0)
                .toList();
    }

    /** It lasts as long as a majority has it. */
    private Holder merged(List<Holder> grant) {
        Holder newest = grant.stream().max(Comparator.comparing(Holder::token)).orElseThrow();
        List<Duration> left = grant.stream()
                .flatMap(holder -> holder.left().stream())
                .sorted(Comparator.reverseOrder())
                .toList();
        Optional<Duration> majority =
                quorum.reached(left.size()) ? Optional.of(left.get(quorum.majority() - 1)) : Optional.empty();
        return new Holder(newest.id(), newest.token(), 1, newest.state(), newest.label(), newest.since(), majority);
    }

    /** In the order of their first tickets. A waiter that has the lock by now may still be in the queue of a slow node. */
    private List<Waiter> waiters(List<Holder> holders) {
        Map<HolderId, Waiter> waiters = new LinkedHashMap<>();
        views.forEach(view -> view.lock(at)
                .ifPresent(lock ->
                        lock.waiters().forEach(waiter -> waiters.merge(waiter.id(), waiter, MergedLock::earlier))));
        holders.forEach(holder -> waiters.remove(holder.id()));
        return waiters.values().stream()
                .sorted(Comparator.comparing(MergedLock::begin))
                .limit(Inspector.MOST_WAITERS)
                .toList();
    }

    private static Waiter earlier(Waiter one, Waiter other) {
        return begin(other).isBefore(begin(one)) ? other : one;
    }

    private static Instant begin(Waiter waiter) {
        return waiter.since().orElse(Instant.MAX);
    }
}
