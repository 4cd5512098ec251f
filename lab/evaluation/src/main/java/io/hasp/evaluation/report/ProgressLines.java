package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Workload;
import java.io.PrintStream;

/** Progress for a log: one line for each round. */
final class ProgressLines implements LiveProgress {
    private final PrintStream out;
    private final long begin = System.nanoTime();
    private int lastRound = -1;

    ProgressLines(PrintStream out) {
        this.out = out;
    }

    @Override
    public void slice(int round, int rounds, long done, long total, String subject, Workload workload) {
        if (round == lastRound) {
            return;
        }
        lastRound = round;
        String what = round == 0 ? "warm-up" : "round " + round + " of " + rounds;
        out.println(done == 0 ? what : what + ", about " + secondsLeft(done, total) + " s left");
    }

    private long secondsLeft(long done, long total) {
        return Math.round((System.nanoTime() - begin) / 1e9 * (total - done) / done);
    }

    @Override
    public void close() {}
}
