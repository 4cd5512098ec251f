package io.hasp.evaluation;

import io.hasp.evaluation.report.EarlierResults;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of the command line that compare a run with an earlier one. */
final class Regression {
    private Regression() {}

    static final class Options {
        @Option(
                names = "--baseline",
                paramLabel = "FILE",
                required = true,
                description = "The results.json of an earlier run: its ratios are compared with those of this one.")
        private @Nullable Path baseline;

        @Option(
                names = "--fail-below",
                paramLabel = "TIMES",
                defaultValue = "0.9",
                description =
                        "Ends with exit code 3 if a lock of Hasp's, or one of --subject-jar, is less than so many times"
                                + " as good against the same other lock as in --baseline, and not within the interval of this run."
                                + " ${DEFAULT-VALUE} unless given.")
        private double failBelow;

        Optional<EarlierResults> read(Function<String, ParameterException> wrong) {
            if (!(failBelow > 0 && failBelow <= 1)) {
                throw wrong.apply("--fail-below is " + failBelow + ": it has to be above 0 and at most 1");
            }
            if (baseline == null) {
                return Optional.empty();
            }
            try {
                return Optional.of(EarlierResults.read(baseline, failBelow));
            } catch (IOException e) {
                throw wrong.apply("--baseline " + baseline + " is no results.json that can be read: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
        }
    }
}
