package io.hasp.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import java.time.Duration;

/**
 * A program that locks at the end of its stack. Each call succeeds, or throws {@link StackOverflowError} and has changed nothing; the client
 * lives on.
 */
public final class LittleStack {
    private static final int STACK = 512 * 1024;
    private static final int DEEPEST = 100_000;
    /** From so many levels before the end on, the program locks at each level: from too little stack to enough of it. */
    private static final int NEAR = 600;

    private final LockClient client;
    private int locked;
    private int refused;

    private LittleStack(LockClient client) {
        this.client = client;
    }

    /**
     * Locks at each depth near the end of a stack, several times, and checks that the client still works.
     *
     * @param client open
     * @param rounds how often; the end of the stack is a few bytes elsewhere in each round
     */
    public static void lock(LockClient client, int rounds) throws InterruptedException {
        LittleStack program = new LittleStack(client);
        // Loads what it needs.
        program.lock();
        for (int round = 0; round < rounds; round++) {
            int mine = round;
            Thread thread = new Thread(null, () -> program.goDown(mine), "little stack", STACK);
            thread.start();
            thread.join(Duration.ofMinutes(1).toMillis());
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(program.locked).as("calls with enough stack").isGreaterThan(rounds);
        assertThat(program.refused).as("calls with too little").isPositive();
        try (Lease after = client.lock("little-stack").tryAcquire().orElseThrow()) {
            after.ensureHeld();
        }
    }

    private void lock() {
        client.lock("little-stack").tryAcquire().orElseThrow().release();
        locked++;
    }

    private void goDown(int round) {
        if (round > 0) {
            goDown(round - 1);
        } else {
            descend(DEEPEST);
        }
    }

    /** The distance from the end of the stack. */
    private int descend(int deeper) {
        int distance;
        try {
            distance = deeper > 0 ? 1 + descend(deeper - 1) : NEAR;
        } catch (StackOverflowError end) {
            distance = 0;
        }
        if (distance < NEAR) {
            try {
                lock();
            } catch (StackOverflowError tooLittle) {
                refused++;
            }
        }
        return distance;
    }
}
