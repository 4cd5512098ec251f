package io.hasp.evaluation;

import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Schedule;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of the command line for the amount, the repetition and the order of measurements. */
final class Effort {
    private static final int MOST_ROUNDS = 100;
    private static final int MOST_FORKS = 50;
    private static final int MOST_LOCKS = 1_000_000;
    private static final int HIGHEST_SEED = 1_000_000;

    private final long drawn = ThreadLocalRandom.current().nextInt(HIGHEST_SEED);

    @ArgGroup
    private @Nullable Length length;

    private static final class Length {
        @Option(
                names = "--quick",
                description =
                        "At most one minute, the default locks beside what people use today: fewer experiments and locks."
                                + " Without it: at most twelve minutes.")
        private boolean quick;

        @Option(
                names = "--full",
                description = "All experiments and locks, and more sizes. Takes about two and a half hours.")
        private boolean full;

        @Option(
                names = "--curves",
                description =
                        "Instead of the usual experiments those whose figures are curves: held, waiters, names, fresh,"
                                + " holds, rate. Takes about an hour.")
        private boolean curves;
    }

    @Option(
            names = "--forks",
            paramLabel = "N",
            description = "Starts the client processes so often anew instead of three times (once with --quick).")
    private @Nullable Integer forks;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "This many rounds in each fork instead of five (four with --quick). More rounds and forks take longer"
                            + " than stated above and narrow the brackets of the ratios: see docs/method.md.")
    private @Nullable Integer rounds;

    @Option(
            names = "--locks",
            paramLabel = "N",
            description =
                    "Lets each process of the experiment held hold so many locks, instead of 1,000 (100,000 with --full).")
    private @Nullable Integer locks;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Repeats the order of the locks in an earlier run. Without it the order is drawn anew.")
    private @Nullable Long seed;

    ComparisonTier tier() {
        if (length != null && length.quick) {
            return ComparisonTier.QUICK;
        }
        if (length != null && length.full) {
            return ComparisonTier.FULL;
        }
        return length != null && length.curves ? ComparisonTier.CURVES : ComparisonTier.USUAL;
    }

    /** The plan with the number of held locks that the user names, if one is named. */
    Plan holding(Plan plan, Function<String, ParameterException> wrong) {
        check("--locks", locks, MOST_LOCKS, wrong);
        return locks == null ? plan : plan.holding(locks, wrong);
    }

    /** Of the order. */
    long seed() {
        return seed == null ? drawn : seed;
    }

    Schedule schedule(Function<ComparisonTier, Schedule> schedules, Function<String, ParameterException> wrong) {
        Schedule usual = schedules.apply(tier());
        check("--rounds", rounds, MOST_ROUNDS, wrong);
        check("--forks", forks, MOST_FORKS, wrong);
        return usual.with(forks == null ? usual.forks() : forks, rounds == null ? usual.rounds() : rounds);
    }

    private static void check(
            String option, @Nullable Integer given, int most, Function<String, ParameterException> wrong) {
        if (given != null && (given < 1 || given > most)) {
            throw wrong.apply(option + " is " + given + ": it has to be from 1 to " + most);
        }
    }
}
