package io.hasp.evaluation.report;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hasp.conformance.history.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The number of runs of {@code hasp torture} that broke each lock. The page shows those of {@code torture.json}, made
 * by {@code hasp torture --out}.
 *
 * @param commit the sources
 * @param date the date of the runs
 * @param seconds the duration of each run
 * @param seed of the first run of each lock; the others follow
 * @param counts one for each lock
 */
public record TortureCounts(String commit, String date, int seconds, long seed, List<Count> counts) {
    private static final String RESOURCE = "torture.json";

    /**
     * One lock.
     *
     * @param subject its name
     * @param broken how many runs ended with a violation
     * @param runs how many runs there were
     * @param violations each kind once: what was demanded
     */
    public record Count(String subject, int broken, int runs, List<String> violations) {
        /** With a list of its own. */
        public Count {
            violations = List.copyOf(violations);
        }

        /**
         * One more run.
         *
         * @param verdict what it found; a search that was given up breaks nothing
         * @return the count with it
         */
        public Count and(Verdict verdict) {
            if (!(verdict instanceof Verdict.Broken found)) {
                return new Count(subject, broken, runs + 1, violations);
            }
            List<String> all = Stream.concat(violations.stream(), Stream.of(found.check()))
                    .distinct()
                    .toList();
            return new Count(subject, broken + 1, runs + 1, all);
        }

        @Override
        public String toString() {
            return subject + ": broken in " + broken + " of " + runs + " runs"
                    + (violations.isEmpty() ? "" : " (" + String.join("; ", violations) + ")");
        }
    }

    /**
     * Of this build, today.
     *
     * @param seconds how long each run was
     * @param seed of the first
     * @param counts one for each lock
     * @return the counts
     */
    public static TortureCounts of(int seconds, long seed, List<Count> counts) {
        return new TortureCounts(
                System.getProperty("hasp.commit", "unknown"),
                LocalDate.now(ZoneOffset.UTC).toString(),
                seconds,
                seed,
                counts);
    }

    /** Returns the counts shipped with this build. */
    static TortureCounts shipped() {
        try (InputStream in = TortureCounts.class.getResourceAsStream(RESOURCE)) {
            return JsonMapper.builder().build().readValue(Objects.requireNonNull(in, RESOURCE), TortureCounts.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes them.
     *
     * @param file where to
     * @throws IOException if that can't be done
     */
    public void write(Path file) throws IOException {
        Files.writeString(file, ResultsFolder.json().writeValueAsString(this) + System.lineSeparator());
    }
}
