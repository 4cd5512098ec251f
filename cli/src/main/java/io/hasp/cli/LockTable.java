package io.hasp.cli;

import io.hasp.LockView;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prints locks as a table with one row for each holder. The first rows set the widths of the columns, so that a long listing is printed
 * while it is read. Not thread-safe.
 */
final class LockTable implements LockPrinter {
    private static final List<String> HEAD = List.of("NAME", "KIND", "HOLDER", "SINCE", "LEFT", "TOKEN", "WAITERS");
    private static final int ROWS_FOR_WIDTHS = 200;
    private static final int WIDEST = 60;

    private final PrintWriter out;
    private final boolean withWaiters;
    private final List<List<String>> first = new ArrayList<>(List.of(HEAD));
    private int @Nullable [] widths;

    LockTable(PrintWriter out, boolean withWaiters) {
        this.out = out;
        this.withWaiters = withWaiters;
    }

    @Override
    public void print(LockView lock) {
        String name = Printable.text(lock.name());
        String waiting = Integer.toString(lock.waiting());
        for (LockView.Holder holder : lock.holders()) {
            row(
                    name,
                    LockText.kind(lock, holder.use(), holder.permits()),
                    LockText.label(holder.label()),
                    LockText.time(holder.since()),
                    LockText.left(holder.timeLeft()),
                    Long.toString(holder.fencingToken()),
                    waiting);
        }
        if (lock.holders().isEmpty()) {
            String none = LockText.NONE;
            row(name, LockText.kind(lock.kind()), none, none, none, none, waiting);
        }
        if (withWaiters) {
            waiters(name, lock);
        }
    }

    private void waiters(String name, LockView lock) {
        int place = 0;
        for (LockView.Waiter waiter : lock.waiters()) {
            place++;
            row(
                    name,
                    LockText.kind(lock, waiter.use(), waiter.permits()),
                    "waiter " + place + ": " + LockText.label(waiter.label()),
                    LockText.time(waiter.since()),
                    LockText.NONE,
                    LockText.NONE,
                    "");
        }
        if (place < lock.waiting()) {
            row(name, "", "and " + (lock.waiting() - place) + " more waiters", "", "", "", "");
        }
    }

    private void row(String... cells) {
        List<String> row = List.of(cells);
        if (widths != null) {
            print(row, widths);
        } else {
            first.add(row);
            if (first.size() > ROWS_FOR_WIDTHS) {
                printFirst();
            }
        }
    }

    private void printFirst() {
        int[] widest = new int[HEAD.size()];
        for (List<String> row : first) {
            for (int i = 0; i < widest.length; i++) {
                widest[i] = Math.max(widest[i], Math.min(WIDEST, length(row.get(i))));
            }
        }
        widths = widest;
        first.forEach(row -> print(row, widest));
        first.clear();
    }

    private void print(List<String> row, int[] columns) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.length; i++) {
            String cell = row.get(i);
            line.append(cell);
            if (i < columns.length - 1) {
                line.append(" ".repeat(Math.max(0, columns[i] - length(cell)) + 2));
            }
        }
        out.println(line.toString().stripTrailing());
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    @Override
    public void end() {
        if (widths == null) {
            printFirst();
        }
        out.flush();
    }
}
