package io.hasp.test;

import io.hasp.ClientOptions;
import io.hasp.ClientTiming;
import io.hasp.memory.VirtualTime;
import io.hasp.spi.Timing;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** The time of a server and its clients: the machine's, or virtual. Thread-safe. */
interface TestTime extends AutoCloseable {

    /** The clock of the server. */
    Timing clock();

    /** Returns the options for a client in this time. */
    ClientOptions of(ClientOptions options);

    /** Moves virtual time on. */
    void advance(Duration duration);

    /** Notes that the current thread requests a lock. */
    void addCaller();

    /** Waits until the effects of all that has happened are there. In the machine's time they come by themselves. */
    void settle();

    /** Waits until the clients' threads have done what they have begun, or wait for something else. */
    void awaitTasks();

    /** Moves virtual time on, for all that the clients still have to do. The machine's time is not waited for. */
    void passBeforeTheEnd(Duration duration);

    @Override
    void close();

    /** The machine's time. */
    final class OfTheMachine implements TestTime {
        private static final Timing CLOCK = new Timing() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Timing.Timer schedule(Duration delay, Runnable task) {
                throw new UnsupportedOperationException("a server only reads the clock");
            }
        };

        @Override
        public Timing clock() {
            return CLOCK;
        }

        /** The threads of the clients, unless the program gives its own. */
        private final Threads threads = new Threads();

        @Override
        public ClientOptions of(ClientOptions options) {
            return options.executor().isPresent() ? options : options.executor(threads);
        }

        @Override
        public void advance(Duration duration) {
            throw new IllegalStateException(
                    "only virtual time can be advanced: create this TestLocks by TestLocks.withVirtualTime(), or write"
                            + " @HaspTest(virtualTime = true)");
        }

        @Override
        public void addCaller() {}

        @Override
        public void settle() {}

        @Override
        public void awaitTasks() {
            threads.awaitTasks();
        }

        @Override
        public void passBeforeTheEnd(Duration duration) {}

        @Override
        public void close() {
            threads.close();
        }
    }

    /** Time that passes when the test advances it. After each step the client's threads finish what it began. */
    final class Virtual implements TestTime, ClientTiming {
        private final VirtualTime time = new VirtualTime();
        private final Threads threads = new Threads();
        private final ReentrantLock advancing = new ReentrantLock();

        @Override
        public Timing clock() {
            return time;
        }

        @Override
        public ClientOptions of(ClientOptions options) {
            if (options.executor().isPresent()) {
                throw new IllegalArgumentException(
                        "the options set an executor: on virtual time, TestLocks has threads of its own");
            }
            return options.timing(this).executor(threads);
        }

        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public long wallClockNanos() {
            return time.wallClockNanos();
        }

        @Override
        public ClientTiming.Timer schedule(Duration delay, Runnable task) {
            return time.schedule(delay, () -> {
                task.run();
                threads.settleBriefly();
            });
        }

        @Override
        public void advance(Duration duration) {
            advancing.lock();
            try {
                threads.settle();
                time.advance(duration);
                threads.settle();
            } finally {
                advancing.unlock();
            }
        }

        @Override
        public void addCaller() {
            threads.addCaller();
        }

        /** Runs what is due now, unless another thread advances the time and does so. */
        @Override
        public void settle() {
            if (advancing.tryLock()) {
                try {
                    advance(Duration.ZERO);
                } finally {
                    advancing.unlock();
                }
            }
        }

        @Override
        public void awaitTasks() {
            threads.awaitTasks();
        }

        @Override
        public void passBeforeTheEnd(Duration duration) {
            advance(duration);
        }

        @Override
        public void close() {
            threads.close();
        }
    }
}
