package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hasp.engine.machine.Notice;
import io.hasp.spi.LockName;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Objects;
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

    /** Defines this library's classes anew, and has no memory for the kinds of events. */
    private static final class WithoutMemory extends ClassLoader {
        WithoutMemory() {
            super(FlightRecording.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals("io.hasp.FlightEvents")) {
                throw new OutOfMemoryError("no memory for " + name);
            }
            if (!name.equals(FlightRecording.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] code = Objects.requireNonNull(in).readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void without_memory_for_the_kinds_of_events_there_are_none_and_calls_go_on() throws Exception {
        Method acquire = Class.forName(FlightRecording.class.getName(), true, new WithoutMemory())
                .getDeclaredMethod("acquire");
        acquire.setAccessible(true);
        assertThat(acquire.invoke(null)).isNull();
        assertThat(acquire.invoke(null)).as("later").isNull();
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
