package io.hasp.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.ClientOptions;
import io.hasp.DistributedLock;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.LockOptions;
import io.hasp.MultiLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls for several locks on virtual time, in an order that a seed decides: clients wait, cancel, release and close, lose their server and
 * its replies, and an administrator deletes locks. No name has two holders, tokens grow, and nothing is left at the end.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MultiLockSchedulesTest {
    private static final int SCHEDULES = 400;
    private static final int STEPS = 120;
    private static final int CLIENTS = 4;
    private static final int NAMES = 5;
    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void no_schedule_leaves_anything_or_gives_a_name_to_two_holders() {
        int acquired = 0;
        int lost = 0;
        for (long seed = Long.getLong("hasp.seed", 1); seed <= Long.getLong("hasp.seed", SCHEDULES); seed++) {
            Schedule schedule = new Schedule(seed);
            schedule.run();
            acquired += schedule.acquired;
            lost += schedule.lost;
        }
        assertThat(acquired).as("holds in all schedules").isGreaterThan(SCHEDULES);
        assertThat(lost).as("losses in all schedules").isPositive();
    }

    private static final class Schedule {
        private final long seed;
        private final Random random;
        private final VirtualTime time = new VirtualTime();
        private final MemoryServer server = new MemoryServer(time);
        private final List<MemoryLink> links = new ArrayList<>();
        private final List<LockClient> clients = new ArrayList<>();
        private final List<CompletableFuture<Optional<MultiLease>>> calls = new ArrayList<>();
        private final List<MultiLease> held = new ArrayList<>();
        private final Map<String, Long> tokens = new HashMap<>();
        private final Set<String> deleted = new HashSet<>();
        private final List<String> wrong = new ArrayList<>();
        private int acquired;
        private int lost;

        Schedule(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            for (int i = 0; i < CLIENTS; i++) {
                MemoryLink link = server.link();
                links.add(link);
                clients.add(LockClient.over(
                        link, ClientOptions.defaults().timing(time).executor(Runnable::run)));
            }
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                step();
                check();
            }
            links.forEach(MemoryLink::heal);
            calls.forEach(call -> call.cancel(false));
            collect();
            held.forEach(lease -> lease.releaseAsync());
            time.advance(LEASE.multipliedBy(3));
            for (int name = 0; name < NAMES; name++) {
                assertThat(clients.get(0).lock("n" + name).tryRun(lease -> {}))
                        .as("seed %s: n%s is free at the end", seed, name)
                        .isTrue();
            }
            clients.forEach(LockClient::closeNow);
            time.advance(LEASE.multipliedBy(3));
            assertThat(server.size())
                    .as("seed %s: what is left on the server", seed)
                    .isZero();
        }

        private void step() {
            int client = random.nextInt(CLIENTS);
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> call(client);
                case 4 -> {
                    if (!calls.isEmpty()) {
                        calls.remove(random.nextInt(calls.size())).cancel(false);
                    }
                }
                case 5, 6 -> {
                    if (!held.isEmpty()) {
                        var unused = held.remove(random.nextInt(held.size())).releaseAsync();
                    }
                }
                case 7 -> links.get(client).partition();
                case 8 -> links.get(client).loseReplies();
                case 9 -> links.get(client).heal();
                case 10 -> {
                    String name = "n" + random.nextInt(NAMES);
                    if (random.nextInt(4) == 0 && server.expire(name)) {
                        deleted.add(name);
                    }
                }
                default -> time.advance(Duration.ofMillis(1L << random.nextInt(15)));
            }
            collect();
        }

        private void call(int client) {
            List<DistributedLock> all = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                all.add(clients.get(client).lock("n" + i, options()));
            }
            Collections.shuffle(all, random);
            Duration wait = Duration.ofMillis(random.nextInt(3) == 0 ? 0 : 1L << random.nextInt(16));
            CompletableFuture<Optional<MultiLease>> call = clients.get(client)
                    .allOf(all.subList(0, 1 + random.nextInt(NAMES)))
                    .tryAcquireAsync(wait);
            calls.add(call);
            // In the order of the grants.
            call.whenComplete((lease, failure) -> {
                if (lease != null) {
                    lease.ifPresent(this::began);
                }
            });
        }

        private LockOptions options() {
            return random.nextInt(4) == 0
                    ? LockOptions.defaults().fixedLease(Duration.ofMillis(1L << (4 + random.nextInt(10))))
                    : LockOptions.defaults();
        }

        private void collect() {
            calls.removeIf(CompletableFuture::isDone);
        }

        private void began(MultiLease lease) {
            acquired++;
            held.add(lease);
            lease.fencingTokens().forEach((name, token) -> {
                Long before = tokens.put(name, token);
                if (before != null && before >= token && !deleted.contains(name)) {
                    wrong.add("token " + token + " of " + name + " after " + before);
                }
            });
        }

        private void check() {
            assertThat(wrong).as("seed %s", seed).isEmpty();
            Map<String, MultiLease> holders = new HashMap<>();
            for (MultiLease lease : List.copyOf(held)) {
                LeaseState state = lease.state();
                if (state == LeaseState.LOST) {
                    lost++;
                    held.remove(lease);
                    assertThat(lease.remaining()).isZero();
                    continue;
                }
                assertThat(state)
                        .as("seed %s: a lease that was not released", seed)
                        .isNotEqualTo(LeaseState.RELEASED);
                for (String name : lease.names()) {
                    MultiLease other = holders.put(name, lease);
                    assertThat(other == null || deleted.contains(name))
                            .as("seed %s: two holders of %s: %s and %s", seed, name, other, lease)
                            .isTrue();
                }
            }
        }
    }
}
