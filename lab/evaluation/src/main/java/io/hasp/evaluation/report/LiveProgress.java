package io.hasp.evaluation.report;

import io.hasp.evaluation.measure.Progress;

/** Progress on a terminal or in a log. */
public interface LiveProgress extends Progress, AutoCloseable {
    /** System property: the width of the terminal that standard error goes to; absent if it goes elsewhere. */
    String COLUMNS = "hasp.terminal.columns";

    /**
     * On standard error: a bar in a terminal, plain lines otherwise.
     *
     * @return the progress, closed by the caller; the stream stays open
     */
    static LiveProgress onStandardError() {
        Integer columns = Integer.getInteger(COLUMNS);
        return columns == null ? new ProgressLines(System.err) : new ProgressBars(System.err, columns);
    }

    @Override
    void close();
}
