package io.hasp.engine.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.engine.lease.Timed;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The alarms that a tick takes, and the earliest of the others. */
class AlarmQueueTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LEASE = 30 * SECOND;
    private static final long FAR = 1_000_000 * SECOND;

    private final AlarmQueue alarms = new AlarmQueue(LEASE, 4);

    private static final class Subject extends Timed {}

    private Subject subject(long at) {
        Subject subject = new Subject();
        set(subject, at);
        return subject;
    }

    private void set(Timed subject, long at) {
        subject.alarm = at;
        if (at == Timed.NEVER) {
            alarms.remove(subject);
        } else {
            alarms.set(subject, event -> {}, at);
        }
    }

    /** The subjects of a tick, which changes no alarm. */
    private List<Timed> tick(long by) {
        List<Timed> taken = new ArrayList<>();
        for (AlarmQueue.Entry entry : alarms.takeDue(by)) {
            taken.add(entry.subject);
            alarms.putBack(entry);
        }
        return taken;
    }

    @Test
    void tick_takes_what_is_due_and_leaves_the_others_alone() {
        Subject due = subject(2 * SECOND);
        subject(3 * SECOND);
        subject(30 * SECOND);
        subject(FAR);

        assertThat(tick(0)).isEmpty();
        assertThat(tick(2 * SECOND)).containsExactly(due);
        assertThat(alarms.earliest()).isEqualTo(2 * SECOND);
    }

    @Test
    void far_alarm_is_taken_when_it_is_due() {
        Subject far = subject(FAR);
        tick(0);

        assertThat(tick(FAR - SECOND)).isEmpty();
        assertThat(tick(FAR)).containsExactly(far);
    }

    @Test
    void alarm_beyond_the_buckets_comes_into_one_in_time() {
        Subject far = subject(60 * SECOND);
        Subject near = subject(50 * SECOND);
        tick(0);

        assertThat(tick(50 * SECOND)).contains(near, far);
        assertThat(tick(50 * SECOND)).containsExactly(near);
        assertThat(tick(60 * SECOND)).contains(far);
    }

    @Test
    void moved_alarm_is_not_taken_at_its_former_moment() {
        Subject subject = subject(SECOND);
        tick(0);
        subject.alarm = 10 * SECOND;
        alarms.moved(Objects.requireNonNull(AlarmQueue.of(subject)));

        assertThat(tick(9 * SECOND)).isEmpty();
        assertThat(alarms.earliest()).isEqualTo(10 * SECOND);
    }

    @Test
    void subject_that_ends_while_a_tick_has_it_is_not_put_back() {
        Subject subject = subject(SECOND);
        List<AlarmQueue.Entry> taken = alarms.takeDue(SECOND);
        set(subject, Timed.NEVER);
        set(subject, 5 * SECOND);
        taken.forEach(alarms::putBack);

        assertThat(tick(5 * SECOND)).containsExactly(subject);
    }

    /** Many leases that are held for a moment each leave no room behind in the buckets that they passed. */
    @Test
    void buckets_that_have_emptied_keep_no_memory() {
        long before = usedMemory();
        for (int i = 0; i < 128; i++) {
            long now = i * LEASE / 96;
            List<Subject> burst = new ArrayList<>();
            for (int n = 0; n < 40_000; n++) {
                burst.add(subject(now + LEASE / 2));
            }
            tick(now);
            burst.forEach(subject -> set(subject, Timed.NEVER));
        }
        long kept = usedMemory() - before;

        assertThat(alarms.isEmpty()).isTrue();
        assertThat(kept).isLessThan(5_000_000);
    }

    private static long usedMemory() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Alarms of all distances move to and fro; each is taken by the first tick at or after it. */
    @Test
    void random_alarms_are_taken_in_time() {
        Random random = new Random(11);
        List<Subject> subjects = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            subjects.add(subject(1 + random.nextLong(200 * SECOND)));
        }
        for (long now = 0; now < 1_000 * SECOND; now += random.nextLong(3 * SECOND)) {
            long moment = now;
            for (int i = 0; i < 10; i++) {
                Subject any = subjects.get(random.nextInt(subjects.size()));
                set(any, random.nextInt(8) == 0 ? Timed.NEVER : now + random.nextLong(200 * SECOND));
            }
            List<Timed> due = subjects.stream()
                    .filter(subject -> subject.alarm <= moment)
                    .map(Timed.class::cast)
                    .toList();
            List<AlarmQueue.Entry> taken = alarms.takeDue(now);
            assertThat(taken)
                    .extracting(entry -> entry.subject)
                    .containsAll(due)
                    .doesNotHaveDuplicates();
            for (AlarmQueue.Entry entry : taken) {
                Timed subject = entry.subject;
                subject.alarm = subject.alarm > now ? subject.alarm : now + 1 + random.nextLong(100 * SECOND);
                alarms.putBack(entry);
            }
            assertThat(alarms.earliest()).isGreaterThan(now);
        }
        subjects.forEach(subject -> set(subject, Timed.NEVER));
        assertThat(alarms.isEmpty()).isTrue();
    }
}
