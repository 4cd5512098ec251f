package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hasp.engine.machine.Notice;
import io.hasp.spi.LockName;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Without a recording there are no events, and nothing is allocated for them. */
class FlightRecordingTest {
    private static final int CYCLES = 200_000;
    private static final Notice.Lost LOSS = new Notice.Lost(new LockName("a"), 256, "a reason", 1);

    private static boolean recordsNothingInACycle() {
        return FlightRecording.acquire() == null
                && FlightRecording.waiting() == null
                && FlightRecording.hold() == null
                && recordsNoLoss();
    }

    private static boolean recordsNoLoss() {
        FlightRecording.lost(LOSS);
        return true;
    }

    @Test
    void without_a_recording_a_cycle_allocates_nothing_for_events() {
        assertThat(recordsNothingInACycle()).isTrue();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(self);
        int recorded = 0;
        for (int i = 0; i < CYCLES; i++) {
            recorded += recordsNothingInACycle() ? 0 : 1;
        }
        long allocated = threads.getThreadAllocatedBytes(self) - before;
        assertThat(recorded).isZero();
        assertThat(allocated).as("bytes in " + CYCLES + " cycles").isLessThan(CYCLES);
    }
}
