package io.hasp.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import java.time.Duration;

/**
 * Locks at the end of a thread's stack. Each call must succeed, or throw {@link StackOverflowError} without an effect,
 * and the client must keep working. Stateless.
 */
public final class StackExhaustion {
    private static final int STACK = 512 * 1024;
    /** On the way back from the end the program locks at each level, until so many calls in a row had enough stack. */
    private static final int ENOUGH = 50;

    private final LockClient client;
    private int locked;
    private int refused;
    private int inARow;

    private StackExhaustion(LockClient client) {
        this.client = client;
    }

    /**
     * Locks at each depth near the end of a stack, several times, and checks that the client still works.
     *
     * @param client open
     * @param rounds how often; the end of the stack is a few bytes elsewhere in each round
     */
    public static void lock(LockClient client, int rounds) throws InterruptedException {
        StackExhaustion program = new StackExhaustion(client);
        // Loads what it needs.
        program.lock();
        for (int round = 0; round < rounds; round++) {
            int mine = round;
            program.inARow = 0;
            Thread thread = new Thread(null, () -> program.goDown(mine), "stack exhaustion", STACK);
            thread.start();
            thread.join(Duration.ofMinutes(1).toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(program.locked).as("calls with enough stack").isGreaterThan(rounds);
        assertThat(program.refused).as("calls with too little").isPositive();
        try (Lease after = client.lock("stack-exhaustion").tryAcquire().orElseThrow()) {
            after.ensureHeld();
        }
    }

    private void lock() {
        client.lock("stack-exhaustion").tryAcquire().orElseThrow().release();
        locked++;
    }

    private void goDown(int round) {
        if (round > 0) {
            goDown(round - 1);
        } else {
            descend(0);
        }
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack ends, which is what it is for
    private void descend(int deeper) {
        try {
            descend(deeper + 1);
        } catch (StackOverflowError end) {
            // From here on it goes back.
        }
        if (inARow < ENOUGH) {
            try {
                lock();
                inARow++;
            } catch (StackOverflowError tooLittle) {
                refused++;
                inARow = 0;
            }
        }
    }
}
