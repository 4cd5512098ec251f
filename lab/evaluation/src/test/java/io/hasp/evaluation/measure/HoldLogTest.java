package io.hasp.evaluation.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.LockMode;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HoldLogTest {
    private static final List<LockMode> MODES =
            List.of(LockMode.EXCLUSIVE, LockMode.READ, LockMode.WRITE, LockMode.permits(3, 8));

    private record Held(int lock, long entered, long left, OptionalLong token, LockMode mode) {}

    @Test
    void what_was_added_is_read_again_also_after_it_was_sent() {
        Random random = new Random(1);
        List<Held> added = new ArrayList<>();
        HoldLog log = new HoldLog();
        for (int hold = 0; hold < 10_000; hold++) {
            OptionalLong token = random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(any(random));
            Held held = new Held(
                    random.nextInt(Integer.MAX_VALUE),
                    any(random),
                    any(random),
                    token,
                    MODES.get(random.nextInt(MODES.size())));
            added.add(held);
            log.add(held.lock(), held.entered(), held.left(), held.token(), held.mode());
        }

        assertThat(log.size()).isEqualTo(added.size());
        assertThat(read(log)).isEqualTo(added);
        assertThat(read(HoldLog.ofText(log.toText()))).isEqualTo(added);
        assertThat(log.entered().boxed())
                .containsExactlyElementsOf(added.stream().map(Held::entered).toList());
        assertThat(read(HoldLog.ofText(new HoldLog().toText()))).isEmpty();
    }

    /** Of any length, from one bit to all. */
    private static long any(Random random) {
        return random.nextLong() >> random.nextInt(Long.SIZE);
    }

    @Test
    void a_fast_lock_fills_little_memory() {
        HoldLog log = new HoldLog();
        for (int hold = 0; hold < 1_000; hold++) {
            log.add(hold % 100, 900L * hold, 900L * hold + 30, OptionalLong.of(hold * 256L), LockMode.EXCLUSIVE);
        }

        assertThat(log.toText().length()).as("bytes, in text").isLessThan(10_000);
    }

    private static List<Held> read(HoldLog log) {
        List<Held> all = new ArrayList<>();
        HoldLog.Cursor hold = log.cursor();
        while (hold.next()) {
            all.add(new Held(
                    hold.lock(),
                    hold.entered(),
                    hold.left(),
                    hold.token() == HoldLog.NO_TOKEN ? OptionalLong.empty() : OptionalLong.of(hold.token()),
                    hold.mode()));
        }
        return all;
    }
}
