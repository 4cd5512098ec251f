package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Workload;
import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Progress for someone who watches: one line that is drawn again and again. */
final class ProgressBars implements LiveProgress {
    /** For a terminal without a known width. The library would use JLine, which takes Ctrl-C away from the JVM. */
    private static final int USUAL_WIDTH = 80;

    private final PrintStream out;
    private final int width;
    private final ProgressBar bar;

    ProgressBars(PrintStream out, int width) {
        this.out = out;
        this.width = width > 0 ? width : USUAL_WIDTH;
        bar = new ProgressBarBuilder()
                .setTaskName("")
                .setStyle(ProgressBarStyle.ASCII)
                .setConsumer(new ConsoleProgressBarConsumer(out, this.width))
                .setUpdateIntervalMillis(200)
                .setUnit(" s", 1000)
                .build();
    }

    @Override
    public void slice(int round, int rounds, long done, long total, String subject, Workload workload) {
        bar.maxHint(total);
        bar.stepTo(done);
        String what = round == 0 ? "warm-up" : "round " + round + "/" + rounds;
        bar.setExtraMessage(String.format(Locale.ROOT, " %s %-20s", what, subject));
    }

    /** Wipes the line itself: on a busy machine the library was seen to leave its last drawing behind. */
    @Override
    public void close() {
        bar.close();
        out.print("\r" + " ".repeat(width) + "\r");
        out.flush();
    }
}
