package io.hasp.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The stack that is left where the check still passes. It depends on the compilers, whose frames are smaller than the interpreter's. */
class StackReserveTest {
    private static final int STACK = 512 * 1024;
    private static final int LEAST = 10 * 1024;

    private int depth;
    private int refusedAt;

    private int goDown(boolean asks) {
        depth++;
        if (asks) {
            try {
                StackReserve.require();
            } catch (StackOverflowError tooLittle) {
                refusedAt = depth;
                return 0;
            }
        }
        return depth < 0 ? 0 : 1 + goDown(asks);
    }

    private int deepest(boolean asks) throws InterruptedException {
        depth = 0;
        refusedAt = 0;
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        goDown(asks);
                    } catch (StackOverflowError end) {
                        refusedAt = depth;
                    }
                },
                "little stack",
                STACK);
        thread.start();
        thread.join(Duration.ofMinutes(1).toMillis());
        assertThat(thread.isAlive()).isFalse();
        return refusedAt;
    }

    /** The frames of {@code goDown} measure it: they fill the whole stack, and the reserve is those that fit below the last success. */
    private double reserve() throws InterruptedException {
        int all = deepest(false);
        return (all - deepest(true)) * (double) STACK / all;
    }

    @Test
    void the_reserve_is_large_enough_once_it_is_compiled() throws InterruptedException {
        for (int i = 0; i < 6; i++) {
            reserve();
        }
        for (int i = 0; i < 500_000; i++) {
            StackReserve.require();
        }
        assertThat(reserve()).isGreaterThan(LEAST);
    }
}
