package io.hasp.redis.server;

import io.hasp.redis.holder.HolderRegistry;
import io.hasp.redis.holder.HolderState;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.script.ServerLease;
import io.hasp.redis.server.RedisConnection.CallGroup;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prolongs grants in as few calls as possible: one for exclusive locks and one for shares; of a cluster, so many for each slot. There
 * the calls to each server are made one after the other without waiting for answers, and those to several at the same time, because a
 * server that does not answer must not hold up the others.
 */
public record ServerRenewals(
        RedisConnection connection,
        ScriptRunner scripts,
        LockKeys keys,
        HolderRegistry holders,
        Timing timing,
        Executor executor) {

    /** Behind a lease: the lock keeps its mark. */
    private static final String KEEPS = "^";

    /** Less than half of SPARE in prolong.lua. */
    private static final Duration COUNTER_RESTS = Duration.ofMinutes(2);

    public CompletionStage<List<Renewal>> renew(List<Grant> held) {
        if (!connection.splitsCalls() || held.size() == 1) {
            return together(held);
        }
        Map<CallGroup, List<Grant>> groups = held.stream()
                .collect(Collectors.groupingBy(
                        grant -> connection.callGroup(keys.lock(grant.claim().name())),
                        LinkedHashMap::new,
                        Collectors.toList()));
        Map<Grant, Renewal> answers = Collections.synchronizedMap(new IdentityHashMap<>());
        List<CompletableFuture<Void>> servers = new ArrayList<>();
        groups.entrySet().stream()
                .collect(Collectors.groupingBy(group -> group.getKey().server()))
                .values()
                .forEach(ofServer -> servers.add(CompletableFuture.completedFuture(ofServer)
                        .thenComposeAsync(
                                calls -> inTurn(
                                        calls.stream().map(Map.Entry::getValue).toList(), answers),
                                executor)));
        return CompletableFuture.allOf(servers.toArray(CompletableFuture[]::new))
                .thenApply(all -> held.stream().map(answers::get).toList());
    }

    /** Sends the groups in turn. After an outage of one call, the groups that are not sent yet get its failure. */
    private CompletableFuture<Void> inTurn(List<List<Grant>> groups, Map<Grant, Renewal> answers) {
        AtomicReference<@Nullable BackendFailure> outage = new AtomicReference<>();
        List<CompletableFuture<Void>> sent = new ArrayList<>(groups.size());
        for (List<Grant> group : groups) {
            BackendFailure known = outage.get();
            if (known != null) {
                group.forEach(grant -> answers.put(grant, new Renewal.Unknown(known)));
                continue;
            }
            sent.add(together(group)
                    .thenAccept(renewals -> {
                        BisectingRenewals.outage(renewals).ifPresent(outage::set);
                        for (int i = 0; i < group.size(); i++) {
                            answers.put(group.get(i), renewals.get(i));
                        }
                    })
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
    }

    /** All in the same place. */
    private CompletionStage<List<Renewal>> together(List<Grant> held) {
        BisectingRenewals calls = new BisectingRenewals(scripts.server(), timing, this::ask);
        if (ofOneKind(held)) {
            return calls.renew(held);
        }
        List<Grant> exclusive = held.stream().filter(ServerRenewals::exclusive).toList();
        List<Grant> shared = held.stream().filter(grant -> !exclusive(grant)).toList();
        return calls.renew(exclusive, shared).thenApply(renewals -> inOrder(held, exclusive.size(), renewals));
    }

    private static boolean ofOneKind(List<Grant> held) {
        boolean exclusive = exclusive(held.get(0));
        for (Grant grant : held) {
            if (exclusive(grant) != exclusive) {
                return false;
            }
        }
        return true;
    }

    /** Merges the renewals of both kinds, in the order of the grants. */
    private static List<Renewal> inOrder(List<Grant> held, int exclusive, List<Renewal> renewals) {
        Iterator<Renewal> ofExclusive = renewals.subList(0, exclusive).iterator();
        Iterator<Renewal> ofShared =
                renewals.subList(exclusive, renewals.size()).iterator();
        return held.stream()
                .map(grant -> exclusive(grant) ? ofExclusive.next() : ofShared.next())
                .toList();
    }

    static boolean exclusive(Grant grant) {
        return grant.claim().share().isExclusive();
    }

    /**
     * A request that prolongs grants of one kind. The reply has one character for each grant.
     *
     * @param script the one for their kind
     */
    record Request(LockScript script, List<String> keys, List<String> arguments) {
        /** The first keys of each grant. */
        List<String> first(int grants, int each) {
            int all = keys.size() / grants;
            if (each == all) {
                return keys;
            }
            return IntStream.range(0, keys.size())
                    .filter(i -> i % all < each)
                    .mapToObj(keys::get)
                    .toList();
        }
    }

    static Request request(LockKeys keys, List<Grant> held) {
        return request(keys, held, true);
    }

    private static Request request(LockKeys keys, List<Grant> held, boolean counters) {
        boolean exclusive = exclusive(held.get(0));
        List<String> locks = new ArrayList<>((exclusive ? counters ? 2 : 1 : 4) * held.size());
        List<String> arguments = new ArrayList<>((exclusive ? 2 : 3) * held.size());
        Duration last = held.get(0).claim().lease();
        String lease = Long.toString(ServerLease.millis(held.get(0).claim()));
        for (Grant grant : held) {
            String lock = keys.lock(grant.claim().name());
            if (exclusive && !counters) {
                locks.add(lock);
            } else {
                locks.addAll(exclusive ? LockKeys.renewed(lock) : LockKeys.renewedShare(lock));
            }
            arguments.add(grant.claim().holder().value());
            // Most leases are equal, and so is their text.
            if (!last.equals(grant.claim().lease())) {
                last = grant.claim().lease();
                lease = Long.toString(ServerLease.millis(grant.claim()));
            }
            arguments.add(grant.claim().keeps() ? lease + KEEPS : lease);
            if (!exclusive) {
                arguments.add(Integer.toString(grant.claim().share().weight()));
            }
        }
        return new Request(exclusive ? LockScript.RENEW : LockScript.SHARED_RENEW, locks, arguments);
    }

    /** All of one kind. */
    private CompletionStage<List<Renewal>> ask(List<Grant> held) {
        long now = timing.nanoTime();
        boolean counters = !exclusive(held.get(0)) || anyCounterIsDue(held, now);
        Request request = request(keys, held, counters);
        int each = request.keys().size() / held.size();
        int switches = holders.switches();
        Runnable prolonged = () -> held.forEach(grant -> counterProlonged(grant, now, switches));
        return ask(request, held.size(), each, prolonged).thenApply(reply -> renewals(held, reply));
    }

    private boolean anyCounterIsDue(List<Grant> held, long now) {
        for (Grant grant : held) {
            HolderState holder = holders.find(grant.claim().holder().value());
            if (holder == null || holder.counterIsDue(ServerLease.millis(grant.claim()), now)) {
                return true;
            }
        }
        return false;
    }

    private void counterProlonged(Grant grant, long now, int switches) {
        HolderState holder = holders.find(grant.claim().holder().value());
        if (holder != null) {
            holder.counterProlonged(ServerLease.millis(grant.claim()), now + COUNTER_RESTS.toNanos());
            // Second, because the report may come at this moment. The answer may be that of the former server.
            if (holders.switches() != switches) {
                holder.counterForgotten();
            }
        }
    }

    /**
     * While a slot moves, a master refuses a script that names a missing key, such as the queue of a lock without waiters. The key of a
     * held lock is at one of the two masters, and a script that names only this key is never refused. So a refused renewal is sent again
     * at once with fewer keys for each grant; a wait could outlast a short lease. The caller halves a refused batch until each grant is
     * alone. A renewal without the other keys lowers no share and does not prolong the counter; the next renewal does both.
     *
     * @param counters runs when the counters were prolonged
     */
    private CompletionStage<String> ask(Request request, int grants, int each, Runnable counters) {
        if (each == 1 && grants == 1) {
            return scripts.run(request.script(), request.first(grants, each), request.arguments());
        }
        boolean fewerMayDo = each > 2 || (each > 1 && grants == 1);
        return scripts.runUnlessMoving(request.script(), request.first(grants, each), request.arguments())
                .thenApply(reply -> {
                    if (each > 1) {
                        counters.run();
                    }
                    return reply;
                })
                .exceptionallyCompose(failure -> fewerMayDo && RedisFailures.ofMovingSlot(failure)
                        ? ask(request, grants, each / 2, counters)
                        : CompletableFuture.failedStage(failure));
    }

    private List<Renewal> renewals(List<Grant> held, String reply) {
        List<Renewal> renewals = new ArrayList<>(held.size());
        Duration last = held.get(0).claim().lease();
        Renewal renewed = new Renewal.Renewed(ServerLease.of(held.get(0).claim()));
        for (int i = 0; i < held.size(); i++) {
            Claim claim = held.get(i).claim();
            if (!last.equals(claim.lease())) {
                last = claim.lease();
                renewed = new Renewal.Renewed(ServerLease.of(claim));
            }
            renewals.add(reply.charAt(i) == '1' ? renewed : lost(held.get(i), reply.charAt(i)));
        }
        return renewals;
    }

    private Renewal lost(Grant grant, char reply) {
        return new Renewal.Lost(
                reply == '0'
                        ? "the server keeps it for another holder, or for nobody"
                        : "its key " + keys.lock(grant.claim().name()) + " now holds something that is not "
                                + grant.claim().share().kind());
    }
}
