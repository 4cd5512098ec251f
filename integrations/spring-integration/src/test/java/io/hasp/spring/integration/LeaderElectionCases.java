package io.hasp.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.spring.integration.LeadershipFile.News;
import io.hasp.spring.integration.LeadershipFile.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three candidate processes are killed, stopped and cut off, the leader more often than the others. No two may lead at
 * once by their own clocks. Each process checks its context once a millisecond, and takes the time of a begin after the
 * check and the time of an end before it. So an overlap is a fault, however slow the machine is. A stopped process
 * checks its context when it continues.
 */
@Timeout(600)
abstract class LeaderElectionCases {
    private static final Duration TIME = Duration.ofSeconds(Tier.count(10, 300));
    /** One for each member. Without a heartbeat, only the interrupt ends a leadership. */
    private static final List<Duration> HEARTBEATS =
            List.of(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofHours(1));

    /** A fault of a member. */
    private enum Fault {
        KILL,
        STOP,
        CUT,
        CUT_REPLIES,
        YIELD
    }

    private final List<Member> members = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    /** Whom something befell that has not ended. */
    private final Set<Member> ailing = ConcurrentHashMap.newKeySet();

    private final ScheduledExecutorService ends = Executors.newScheduledThreadPool(2);

    abstract int port();

    abstract String uri(int port);

    /** After how long the lock of a silent process is free. */
    abstract Duration lease();

    @Test
    void le15_of_three_processes_never_two_lead() throws Exception {
        long seed = Long.getLong("hasp.election.seed", System.nanoTime());
        String initiator = System.getProperty("hasp.election.initiator", "hasp");
        try (ScratchFolder scratch = ScratchFolder.create()) {
            for (Duration heartbeat : HEARTBEATS) {
                String name = "member" + members.size();
                members.add(new Member(name, port(), this::uri, scratch.path(), initiator, heartbeat));
            }
            members.parallelStream().forEach(Member::start);
            runFaults(new Random(seed));
            members.parallelStream().forEach(Member::end);
            check(seed);
        } finally {
            ends.shutdownNow();
            members.forEach(Member::close);
        }
    }

    private void runFaults(Random random) throws Exception {
        long end = System.nanoTime() + TIME.toNanos();
        Fault[] all = Fault.values();
        for (int round = 0; System.nanoTime() < end || leaders() < 2; round++) {
            awaitLeader();
            Thread.sleep(random.nextInt(500));
            // Each fault in turn, in the order of the seed.
            Fault fault = all[(round + Math.floorMod(random.nextInt(), 2)) % all.length];
            Member member = random.nextInt(4) == 0 ? members.get(random.nextInt(members.size())) : leader();
            long millis = lease().toMillis() / 2 + random.nextInt((int) lease().toMillis());
            if (ailing.add(member)) {
                faults.add(fault + " of " + member.name);
                befall(member, fault, millis);
            }
        }
        ends.shutdown();
        assertThat(ends.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    /** The fault ends by itself; other members may have faults at the same time. */
    private void befall(Member member, Fault fault, long millis) {
        switch (fault) {
            case KILL -> {
                member.kill();
                endAfter(0, member, member::start);
            }
            case STOP -> {
                member.pause();
                endAfter(millis, member, member::resume);
            }
            case CUT -> {
                member.proxy.set(TrafficPolicy.DROP);
                endAfter(millis, member, member.proxy::heal);
            }
            case CUT_REPLIES -> {
                member.proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
                endAfter(millis, member, member.proxy::heal);
            }
            case YIELD -> endAfter(0, member, member::yieldLeadership);
        }
    }

    private void endAfter(long millis, Member member, Runnable end) {
        ends.schedule(
                () -> {
                    end.run();
                    ailing.remove(member);
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    private long leaders() {
        return members.stream().filter(member -> !member.news().isEmpty()).count();
    }

    private Member leader() {
        return members.stream().filter(Member::leads).findAny().orElse(members.get(0));
    }

    private void awaitLeader() throws InterruptedException {
        long patience = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (members.stream().noneMatch(Member::leads)) {
            assertThat(System.nanoTime()).as("nobody leads after " + faults).isLessThan(patience);
            Thread.sleep(10);
        }
    }

    private void check(long seed) {
        List<Term> terms = members.stream()
                .flatMap(member -> member.terms().stream())
                .sorted(Comparator.comparingLong(Term::begin))
                .toList();
        String what = "seed " + seed + ", " + terms.size() + " terms, after " + faults;
        System.out.println(getClass().getSimpleName() + ": " + what + ", led for "
                + terms.stream().mapToLong(Term::millis).sum() + " ms");
        for (int i = 1; i < terms.size(); i++) {
            Term later = terms.get(i);
            assertThat(terms.subList(0, i)).as(what).noneMatch(earlier -> earlier.overlaps(later));
        }
        assertThat(terms.stream().map(Term::process).distinct()).as(what).hasSizeGreaterThan(1);
        assertThat(members).as("an orderly end is told").noneMatch(Member::toldToLead);
        checkCandidates(what);
    }

    /**
     * A thread notifies the candidate and may be late: after a pause of its process by the part of the pause beyond the
     * lease, otherwise by the lateness of the machine.
     */
    private void checkCandidates(String what) {
        List<News> all = members.stream()
                .flatMap(member -> member.news().stream())
                .sorted(Comparator.comparingLong(News::at))
                .toList();
        for (Member member : members) {
            List<News> own = member.news();
            for (int i = 0; i + 1 < own.size(); i++) {
                if (!own.get(i).begins() || own.get(i + 1).begins()) {
                    continue;
                }
                long begin = own.get(i).at();
                long end = own.get(i + 1).at();
                all.stream()
                        .filter(other -> other.begins() && !other.process().equals(member.name))
                        .filter(other -> begin < other.at() && other.at() < end)
                        .forEach(other -> late(what, member, begin, end, end - other.at()));
            }
        }
    }

    private void late(String what, Member member, long begin, long end, long nanos) {
        boolean paused = member.paused(begin, end);
        System.out.println(member.name + " was told " + nanos / 1_000_000 + " ms late that it leads no more"
                + (paused ? ": its process stood still" : ""));
        assertThat(paused || nanos < lease().toNanos()).as(what).isTrue();
    }
}
