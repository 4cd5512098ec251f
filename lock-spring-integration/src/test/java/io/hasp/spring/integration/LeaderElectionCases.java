package io.hasp.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.processes.ScratchFolder;
import io.hasp.spring.integration.LeadershipFile.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three processes want to lead; they are killed, stopped and cut off, the leader more often than the others. Never do two lead by their own
 * clocks: each looks once a millisecond whether its context leads, and takes the time of a begin after the look and that of an end before
 * it. So an overlap is a fault, however slow the machine is, and a process that stood still is asked what it believes when it goes on.
 */
@Timeout(600)
abstract class LeaderElectionCases {
    private static final Duration TIME = Duration.ofSeconds(Tier.count(20, 300));
    private static final int MEMBERS = 3;

    /** What befalls a member. */
    private enum Fault {
        KILL,
        STOP,
        CUT,
        CUT_REPLIES,
        YIELD
    }

    private final List<Member> members = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    abstract int port();

    abstract String uri(int port);

    /** After how long the lock of a silent process is free. */
    abstract Duration lease();

    @Test
    void le15_of_three_processes_never_two_lead() throws Exception {
        long seed = Long.getLong("hasp.election.seed", System.nanoTime());
        String initiator = System.getProperty("hasp.election.initiator", "hasp");
        try (ScratchFolder scratch = ScratchFolder.create()) {
            IntStream.range(0, MEMBERS)
                    .forEach(i -> members.add(new Member("member" + i, port(), this::uri, scratch.path(), initiator)));
            runFaults(new Random(seed));
            members.forEach(Member::end);
            check(seed);
        } finally {
            members.forEach(Member::close);
        }
    }

    private void runFaults(Random random) throws InterruptedException {
        long end = System.nanoTime() + TIME.toNanos();
        Fault[] all = Fault.values();
        for (int round = 0; System.nanoTime() < end; round++) {
            awaitLeader();
            Thread.sleep(random.nextInt(500));
            // Each fault in turn, in the order of the seed.
            Fault fault = all[(round + Math.floorMod(random.nextInt(), 2)) % all.length];
            Member member = random.nextInt(4) == 0 ? members.get(random.nextInt(MEMBERS)) : leader();
            faults.add(fault + " of " + member.name);
            befall(member, fault, lease().toMillis() / 2 + random.nextInt((int) lease().toMillis()));
        }
    }

    private void befall(Member member, Fault fault, long millis) throws InterruptedException {
        switch (fault) {
            case KILL -> {
                member.kill();
                member.start();
            }
            case STOP -> {
                member.pause();
                Thread.sleep(millis);
                member.resume();
            }
            case CUT -> {
                member.proxy.set(TrafficPolicy.DROP);
                Thread.sleep(millis);
                member.proxy.heal();
            }
            case CUT_REPLIES -> {
                member.proxy.set(Direction.REPLIES, TrafficPolicy.DROP);
                Thread.sleep(millis);
                member.proxy.heal();
            }
            case YIELD -> member.yieldLeadership();
        }
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
        assertThat(members).as("an orderly end is told").noneMatch(Member::leads);
    }
}
