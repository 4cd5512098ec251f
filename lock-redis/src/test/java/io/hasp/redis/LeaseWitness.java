package io.hasp.redis;

import io.hasp.conformance.history.Explanation;
import io.hasp.conformance.history.StoredLeases;
import io.hasp.conformance.servers.ClusterServers;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.conformance.torture.HalfOpenTorture;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the locks of a torture again and again, directly at their servers, which are no part of what is broken. It knows which lease
 * a server had at which moment, and has a record of the queues, of each node for Redlock. Thread-safe.
 */
final class LeaseWitness implements StoredLeases, Explanation, AutoCloseable {
    /** Token and time left, in ms; empty without a holder. */
    private static final String SCRIPT = """
            local value, left = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])
            local token = string.match(value or '', '^1|[%w%-]+|[CH]|(%d+)|')
            if KEYS[2] then
              local owner = string.match(value or '', '^R1|([%w%-]+)|H|')
              local last, lastOwner = string.match(redis.call('GET', KEYS[2]) or '', '^R1|(%d+)|([%w%-]+)$')
              token = owner and owner == lastOwner and last
            end
            return token and token .. ' ' .. left or ''
            """;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A client may release what it has lost: what was seen just before counts as well. */
    private static final long NEAR_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long SILENCE_NANOS =
            HalfOpenSubjects.COMMAND_TIMEOUT.dividedBy(2).toNanos();

    private static final int PUBLIC_BITS = 8;

    /** Of a lock's queues, as many as a run of ten minutes has, at most. */
    private static final int MOST_CHANGES = 60_000;

    /** On one server. */
    record Stored(long token, long left) {}

    private final Map<String, List<RespConnection>> servers = new HashMap<>();
    private final Map<String, NavigableMap<Long, Stored>> seen = new HashMap<>();
    /** One for each server of a lock. */
    private final List<QueueRecord> queues = new ArrayList<>();

    private final boolean redlock;
    private final Thread thread = new Thread(this::look, "lease-witness");
    private volatile boolean over;
    private final Set<Long> unseen = ConcurrentHashMap.newKeySet();
    private final Set<Long> silences = ConcurrentHashMap.newKeySet();

    private LeaseWitness(Map<String, List<RedisServer>> servers, boolean redlock) {
        this.redlock = redlock;
        servers.forEach((lock, some) -> {
            this.servers.put(lock, some.stream().map(RedisServer::connect).toList());
            seen.put(lock, new ConcurrentSkipListMap<>());
        });
        int most = servers.values().stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < most; i++) {
            queues.add(new QueueRecord(MOST_CHANGES / most));
        }
        thread.setDaemon(true);
        thread.start();
    }

    static LeaseWitness of(RedisServer server) {
        return all(List.of(server), false);
    }

    static LeaseWitness ofRedlock(List<RedisServer> nodes) {
        return all(nodes, true);
    }

    private static LeaseWitness all(List<RedisServer> servers, boolean redlock) {
        Map<String, List<RedisServer>> of = new HashMap<>();
        HalfOpenTorture.locks().forEach(lock -> of.put(lock, servers));
        return new LeaseWitness(of, redlock);
    }

    /** For a cluster whose slots do not move. */
    static LeaseWitness of(ClusterServers cluster) {
        Map<String, List<RedisServer>> of = new HashMap<>();
        HalfOpenTorture.locks().forEach(lock -> of.put(lock, List.of(cluster.masterOf(key(lock)))));
        return new LeaseWitness(of, false);
    }

    private static String key(String lock) {
        return new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX).lock(new LockName(lock));
    }

    private void look() {
        while (!over) {
            servers.forEach((lock, some) -> stored(lock, some)
                    .ifPresent(one -> Objects.requireNonNull(seen.get(lock)).put(System.nanoTime(), one)));
            servers.forEach(this::lookAtQueues);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void lookAtQueues(String lock, List<RespConnection> some) {
        try {
            for (int i = 0; i < some.size(); i++) {
                queues.get(i).look(lock, some.get(i), LockKeys.of(key(lock), "witness"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String around(String lock, long from, long to) {
        StringBuilder all = new StringBuilder();
        for (QueueRecord one : queues) {
            String near = one.around(lock, from, to);
            if (!near.isEmpty() && queues.size() > 1) {
                all.append("Node ").append(queues.indexOf(one)).append(". ");
            }
            all.append(near);
        }
        return all.toString();
    }

    /** The record that most of the servers have. */
    private Optional<Stored> stored(String lock, List<RespConnection> some) {
        List<Stored> found = new ArrayList<>();
        for (RespConnection server : some) {
            try {
                String key = key(lock);
                String[] reply = Objects.requireNonNull(
                                redlock
                                        ? server.text("EVAL", SCRIPT, "2", key, key + ":t")
                                        : server.text("EVAL", SCRIPT, "1", key))
                        .split(" ");
                found.add(
                        reply.length < 2
                                ? new Stored(0, 0)
                                : new Stored(Long.parseLong(reply[0]), Long.parseLong(reply[1])));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        long token = found.stream().mapToLong(Stored::token).max().orElse(0);
        List<Stored> having = found.stream()
                .filter(one -> one.token() == token)
                .sorted(Comparator.comparing(Stored::left).reversed())
                .toList();
        int quorum = some.size() / 2;
        return Optional.of(having.size() > quorum ? having.get(quorum) : new Stored(0, 0));
    }

    @Override
    public Optional<Duration> left(String lock, long token, long moment) {
        NavigableMap<Long, Stored> all = Objects.requireNonNull(seen.get(lock));
        if (wasSilent(all, moment)) {
            silences.add(moment);
            return Optional.empty();
        }
        Map<Long, Stored> near = new HashMap<>();
        for (Map.Entry<Long, Stored> one : entries(all.floorEntry(moment), all.ceilingEntry(moment))) {
            if (Math.abs(one.getKey() - moment) < NEAR_NANOS) {
                near.put(one.getKey(), one.getValue());
            }
        }
        if (near.isEmpty()) {
            unseen.add(moment);
        }
        return near.entrySet().stream()
                .filter(one -> one.getValue().token() == token >> PUBLIC_BITS)
                .map(one -> Duration.ofMillis(one.getValue().left()).plusNanos(one.getKey() - moment))
                .max(Comparator.naturalOrder())
                .or(() -> near.isEmpty() ? Optional.empty() : Optional.of(Duration.ZERO));
    }

    @Override
    public String lastSeen(String lock, long token, long moment) {
        return LeaseEnd.describe(Objects.requireNonNull(seen.get(lock)), token >> PUBLIC_BITS, moment);
    }

    /** True if no server answered, not even the witness, for half of a command timeout within the lease that ended at that moment. */
    private static boolean wasSilent(NavigableMap<Long, Stored> all, long moment) {
        long from = moment - HalfOpenSubjects.LEASE.toNanos();
        Long last = all.floorKey(from);
        for (Long look : all.subMap(from, false, moment, true).keySet()) {
            if (last != null && look - last > SILENCE_NANOS) {
                return true;
            }
            last = look;
        }
        Long next = all.higherKey(moment);
        return last != null && next != null && next - last > SILENCE_NANOS;
    }

    @SafeVarargs
    private static List<Map.Entry<Long, Stored>> entries(Map.Entry<Long, Stored>... some) {
        List<Map.Entry<Long, Stored>> present = new ArrayList<>();
        for (Map.Entry<Long, Stored> one : some) {
            if (one != null) {
                present.add(one);
            }
        }
        return present;
    }

    /** True if the witness had looked near each requested moment, and has seen a holder of each lock. */
    boolean sawAll() {
        return unseen.isEmpty()
                && seen.values().stream().allMatch(all -> all.values().stream().anyMatch(one -> one.token() > 0));
    }

    @Override
    public String toString() {
        return seen.values().stream().mapToInt(Map::size).sum() + " looks at the servers, " + unseen.size()
                + " missing; " + silences.size() + " losses while they were silent";
    }

    @Override
    public void close() throws InterruptedException {
        over = true;
        thread.join();
        servers.values().stream().flatMap(List::stream).distinct().forEach(RespConnection::close);
    }
}
