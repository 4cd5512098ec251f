package io.hasp.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.SteppedClient;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault that is put into the engine is found within a minute, as what it is. */
class MutantsTest {
    private static final long MOST_MILLIS = 60_000;

    static List<Mutant> mutants() {
        return List.of(
                new Mutant(
                        "a signal before the grant's answer is dropped",
                        "HolderNews.java",
                        "            keep(new Item(signal));",
                        "",
                        "news is not dropped"),
                new Mutant(
                        "what a late answer leaves on the server is not withdrawn",
                        "Attempts.java",
                        "if (unknown || attempt instanceof Attempt.Granted",
                        "if (false && attempt instanceof Attempt.Granted",
                        "what may be left is withdrawn"),
                new Mutant(
                        "a transfer takes a claim that was sent",
                        "Attempts.java",
                        "return footprint.everSent() ? null : begin();",
                        "return begin();",
                        "only an outage is one"),
                new Mutant(
                        "a loss that a release finds is not told",
                        "Lease.java",
                        "            tenure.foundLost();\n",
                        "",
                        "a loss is told"),
                new Mutant(
                        "a signal that comes during an attempt is dropped",
                        "Attempts.java",
                        "                signalled = true;\n",
                        "",
                        "signals are not dropped"),
                new Mutant(
                        "the deadline counts from the answer",
                        "Attempts.java",
                        "long deadline = sentAt + validity",
                        "long deadline = engine.now() + validity",
                        "belief ends first"),
                new Mutant(
                        "a grant is passed on while its renewal is unanswered",
                        "Tenure.java",
                        "                && !renewing\n",
                        "",
                        "news is not dropped"),
                new Mutant(
                        "the next one is not called when the lease has ended",
                        "LocalQueue.java",
                        "                next = waiting.peekFirst();\n            }\n        }\n        engine.queues.leave(this);",
                        "            }\n        }\n        engine.queues.leave(this);",
                        "everybody gets a turn"));
    }

    @ParameterizedTest
    @MethodSource("mutants")
    @DisplayName("is found")
    void is_found(Mutant mutant) throws Exception {
        String found = (String) new MutantLoader(mutant)
                .loadClass(Simulator.class.getName())
                .getMethod("hunt", String.class, long.class)
                .invoke(null, SteppedClient.Opener.class.getName(), MOST_MILLIS);
        System.out.println("mutant '" + mutant.name() + "': " + found);
        assertThat(found).as(mutant.name()).isNotNull().contains(mutant.breaks());
    }
}
