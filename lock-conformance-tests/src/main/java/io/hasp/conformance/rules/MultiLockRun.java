package io.hasp.conformance.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.MultiLease;
import io.hasp.MultiLock;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Timings;
import io.hasp.conformance.rules.support.RuleRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Clients that take random subsets of a few locks in random order, a number of times each. */
final class MultiLockRun {
    private static final int NAMES = 6;

    private final HaspSubject subject;
    private final int clients;
    private final int rounds;
    private final String prefix = "rule-" + UUID.randomUUID() + "-";
    private final Map<String, Integer> holders = new ConcurrentHashMap<>();
    private final Map<String, Queue<Long>> tokens = new ConcurrentHashMap<>();

    private MultiLockRun(HaspSubject subject, int clients, int rounds) {
        this.subject = subject;
        this.clients = clients;
        this.rounds = rounds;
    }

    static MultiLockRun of(HaspSubject subject, int clients, int rounds) {
        return new MultiLockRun(subject, clients, rounds);
    }

    /** Runs all clients to their end, and then the check. */
    void assertEndsWith(Runnable check) throws Exception {
        try (RuleRun run = new RuleRun(subject)) {
            List<RuleRun.Task<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int number = i;
                tasks.add(run.start(() -> client(number)));
            }
            for (RuleRun.Task<Integer> task : tasks) {
                assertThat(task.get(Timings.longWait().multipliedBy(6)))
                        .as("rounds of a client")
                        .isEqualTo(rounds);
            }
        }
        check.run();
    }

    private int client(int number) throws Exception {
        Random random = new Random(number);
        try (LockClient client = subject.connect()) {
            for (int round = 0; round < rounds; round++) {
                MultiLock locks = subset(client, random);
                try (MultiLease lease = locks.tryAcquire(Timings.longWait())
                        .orElseThrow(() -> new AssertionError("a call for " + locks.names() + " has waited for "
                                + Timings.longWait() + ": a deadlock, since each holder works for a moment only"))) {
                    work(lease, number);
                }
            }
        }
        return rounds;
    }

    private MultiLock subset(LockClient client, Random random) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < NAMES; i++) {
            all.add(i);
        }
        Collections.shuffle(all, random);
        return client.allOf(all.subList(0, 2 + random.nextInt(3)).stream()
                .map(i -> client.lock(prefix + i))
                .toList());
    }

    private void work(MultiLease lease, int number) throws InterruptedException {
        lease.fencingTokens().forEach((name, token) -> {
            Integer before = holders.putIfAbsent(name, number);
            assertThat(before).as("another holder of " + name).isNull();
            tokens.computeIfAbsent(name, any -> new ConcurrentLinkedQueue<>()).add(token);
        });
        Thread.sleep(1);
        lease.names().forEach(holders::remove);
        lease.ensureHeld();
    }

    void assertTokensGrew() {
        tokens.forEach((name, all) -> {
            long last = 0;
            for (long token : all) {
                assertThat(token).as("a token of " + name + " after " + last).isGreaterThan(last);
                last = token;
            }
        });
    }
}
