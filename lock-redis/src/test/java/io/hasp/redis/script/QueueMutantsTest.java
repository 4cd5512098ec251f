package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.redis.script.QueueScenario.Kind;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Ways to get lives, calls and places in the queue wrong. Each shows in a read-write lock, by a seed of {@link QueueSimulationTest}'s
 * standard tier.
 */
@InTier(Tier.STANDARD)
class QueueMutantsTest extends ScriptFixture {
    /** So many seeds are tried if a change of the scripts has made the quick ones silent. */
    private static final long MORE_SEEDS = 200;

    /** Fewer waiters are near the front than in life, so that crowds as small as the simulation's have many that are far. */
    private static final String NEAR = "local NEAR = 16";

    private static final String FEW_NEAR = "local NEAR = 8";

    /**
     * A line of the scripts, which must be in at least one, and what stands there instead.
     *
     * @param words of the violation
     */
    private record Mutant(String name, String line, String instead, FaultMix faults, String words) {}

    private static final List<Mutant> MUTANTS = List.of(
            new Mutant(
                    "nobody near the front is called",
                    "  if far then\n",
                    "  if false then\n",
                    FaultMix.CRASHES,
                    "has been free"),
            new Mutant("the call is not sent", "table.insert(news, call)", "", FaultMix.CRASHES, "passes"),
            new Mutant(
                    "a waiter far behind lives no longer than one near the front",
                    "local life = poll_behind(before or waiting, longest) * ENTRY / POLL",
                    "local life = ENTRY",
                    FaultMix.CRASHES,
                    "passes"),
            new Mutant(
                    "newcomers pass the waiters",
                    "if not taken and waiting == 0 and used + weight <= capacity then",
                    "if not taken and used + weight <= capacity then",
                    FaultMix.NONE,
                    "passes"),
            new Mutant(
                    "a dead waiter in front keeps others out",
                    "stop = lives and used + asks > capacity",
                    "stop = asks and used + asks > capacity",
                    FaultMix.CRASHES,
                    "has been free"),
            new Mutant(
                    "a refusal tells an old token",
                    "text(more and 1 or poll) .. '|' .. text(last)",
                    "text(more and 1 or poll) .. '|' .. (head and '1' or text(last))",
                    FaultMix.CRASHES,
                    "of 1048576"),
            new Mutant("one waiter is served at a time", "batch = batch * 2", "break", FaultMix.NONE, "has been free"),
            new Mutant(
                    "the end of a waiter serves nobody",
                    "more = serve('')",
                    "if ends then more = serve('') end",
                    FaultMix.NONE,
                    "has been free"),
            new Mutant(
                    "a late renewal raises what was lowered",
                    "weight < tonumber(weighs)",
                    "weight ~= tonumber(weighs)",
                    FaultMix.LOST_REQUESTS,
                    "has granted"));

    @TestFactory
    Stream<DynamicTest> each_is_found() {
        return MUTANTS.stream().map(mutant -> DynamicTest.dynamicTest(mutant.name(), () -> find(mutant)));
    }

    private static void find(Mutant mutant) throws IOException {
        Function<LockScript, String> planted =
                changed(changed(LockScript::text, NEAR, FEW_NEAR), mutant.line(), mutant.instead());
        assertThat(shows(planted, mutant))
                .as("a seed shows it by the words: %s", mutant.words())
                .isTrue();
    }

    private static boolean shows(Function<LockScript, String> planted, Mutant mutant) throws IOException {
        LongStream quick = QueueSimulationTest.QUICK_SEEDS.stream().mapToLong(Long::longValue);
        for (long seed :
                LongStream.concat(quick, LongStream.rangeClosed(1, MORE_SEEDS)).toArray()) {
            QueueChecks checks = QueueScenario.run(
                    server, planted, Kind.READ_WRITE, mutant.faults(), seed, QueueSimulationTest.DURATION);
            if (checks.report().contains(mutant.words())) {
                return true;
            }
        }
        return false;
    }
}
