package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Redaction;
import java.time.Duration;
import java.util.List;

/**
 * The conditions of a comparison.
 *
 * @param command the typed command, without passwords
 * @param version of Hasp
 * @param commit of Hasp's sources; {@code unknown} without git
 * @param seed of the order of the locks
 * @param seconds the duration
 * @param interrupted true if it ended before its time, so that figures may be missing
 */
public record Run(String command, String version, String commit, long seed, long seconds, boolean interrupted) {
    /** System property: the commit that this was built from. */
    private static final String COMMIT = "hasp.commit";

    /**
     * Describes a run of this build whose order is not to be repeated.
     *
     * @param arguments of the command line
     * @param took how long it took
     * @param interrupted whether it was ended before its time
     * @return the run
     */
    public static Run of(List<String> arguments, Duration took, boolean interrupted) {
        return of(arguments, 0, took, interrupted);
    }

    /**
     * Describes a run of this build.
     *
     * @param arguments of the command line
     * @param seed of the order of the locks
     * @param took how long it took
     * @param interrupted whether it was ended before its time
     * @return the run
     */
    public static Run of(List<String> arguments, long seed, Duration took, boolean interrupted) {
        String version = Run.class.getPackage().getImplementationVersion();
        return new Run(
                "./hasp " + Redaction.of(String.join(" ", arguments)),
                version == null ? "not packaged" : version,
                System.getProperty(COMMIT, "unknown"),
                seed,
                took.toSeconds(),
                interrupted);
    }
}
