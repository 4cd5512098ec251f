package io.hasp.evaluation.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.history.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TortureCountsTest {
    private static final Verdict SOUND = new Verdict.Sound(List.of("one holder"), 7);
    private static final Verdict BROKEN = new Verdict.Broken("one holder", "lock-1", "two held it", "…");

    @TempDir
    private Path folder;

    @Test
    void n_of_m_runs_are_counted_and_each_kind_of_violation_is_named_once() {
        TortureCounts.Count count = new TortureCounts.Count("somebody-s", 0, 0, List.of())
                .and(SOUND)
                .and(BROKEN)
                .and(BROKEN)
                .and(new Verdict.Undecided("one holder", "lock-1", "too long"));

        assertThat(count).hasToString("somebody-s: broken in 2 of 4 runs (one holder)");
    }

    @Test
    void what_was_written_is_what_the_page_reads() throws IOException {
        Path file = folder.resolve("torture.json");
        TortureCounts counts = TortureCounts.of(15, 7, List.of(new TortureCounts.Count("a", 1, 3, List.of("x"))));

        counts.write(file);

        assertThat(ResultsFolder.json().readValue(Files.readString(file), TortureCounts.class))
                .isEqualTo(counts);
    }

    @Test
    void the_page_shows_the_counts_of_the_locks_that_are_on_it() throws IOException {
        TortureCounts shipped = TortureCounts.shipped();

        assertThat(shipped.counts())
                .extracting(TortureCounts.Count::subject)
                .contains("redisson-rlock", "curator-mutex");
        for (TortureCounts.Count count : shipped.counts()) {
            boolean there = RealRun.document().subjects().stream()
                    .anyMatch(each -> each.subject().equals(count.subject()));
            String line =
                    "<strong>" + count.subject() + "</strong>: broken in " + count.broken() + " of " + count.runs();
            assertThat(RealRun.html(RealRun.document()).contains(line)).as(line).isEqualTo(there);
        }
    }
}
