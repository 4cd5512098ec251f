package io.hasp.cli;

import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockView;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hasp locks}: lists the locks in use. */
@Command(
        name = "locks",
        description = "Lists the locks in use and their holders, while the service is read. All times are those of the"
                + " server.",
        footerHeading = "%n",
        footer = {
            "Exit code: 0; 64 wrong usage; 69 the service is unreachable or refuses.",
            "Example: hasp locks orders/ --waiters"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class LocksCommand implements Callable<Integer> {
    private static final String CLEAR = "\u001b[H\u001b[2J\u001b[3J";

    private static final int LOCKS_BETWEEN_FLUSHES = 100;

    @Parameters(arity = "0..1", paramLabel = "PREFIX", defaultValue = "", description = "Only names that begin so.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String prefix;

    @Option(names = "--waiters", description = "Lists the waiters, too: the first thousand of each lock.")
    private boolean waiters;

    @Option(names = "--watch", description = "Lists again and again, until it is ended.")
    private boolean watch;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Interval interval;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Format format;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Service service;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    @SuppressWarnings("SystemConsoleNull") // the script sets jdk.console, so it is null without a terminal
    public Integer call() throws InterruptedException {
        try (LockClient locks = service.connect()) {
            LockInspector inspector = locks.inspector();
            if (!watch) {
                list(inspector);
                return Exit.OK;
            }
            boolean clear = Terminal.console() != null && !format.isJson();
            return interval.repeat(spec, () -> {
                if (clear) {
                    spec.commandLine().getOut().print(CLEAR);
                }
                list(inspector);
            });
        }
    }

    private void list(LockInspector inspector) {
        PrintWriter out = spec.commandLine().getOut();
        LockPrinter printer = format.isJson() ? new LockJson(out, waiters) : new LockTable(out, waiters);
        Iterator<LockView> locks = inspector.locks(prefix).iterator();
        int count = 0;
        while (locks.hasNext()) {
            printer.print(locks.next());
            count++;
            if (count % LOCKS_BETWEEN_FLUSHES == 0 && out.checkError()) {
                // A reader such as head has ended before the list.
                return;
            }
        }
        printer.end();
    }
}
