package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.QUEUE;
import static io.hasp.redis.script.ScriptClient.WAITERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random commands on shares, each compared with what the model says. The message names the first that went wrong, and the seed. */
@InTier(Tier.STANDARD)
class SharedModelTest extends ScriptFixture {
    private static final int COMMANDS = 1_500;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void permits_are_conserved_and_every_answer_is_that_of_the_model(long seed) throws IOException {
        SharedModelRun run = new SharedModelRun(lua, seed);
        for (int i = 0; i < COMMANDS; i++) {
            run.check("command " + i + " of seed " + seed + ", " + run.step());
        }
        run.releaseAll();
        assertThat(lua.existing(LOCK, QUEUE, WAITERS)).isZero();
    }
}
