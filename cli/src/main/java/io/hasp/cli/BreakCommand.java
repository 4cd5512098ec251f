package io.hasp.cli;

import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockView;
import java.io.Console;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hasp break}: ends the grant of one holder. */
@Command(
        name = "break",
        description = "Ends the grant of one holder, if it still has the lock under the token that 'hasp locks' showed."
                + " The next waiter has the lock at once. The work of the former holder may go on for a while: end that"
                + " process first if you can.",
        footerHeading = "%n",
        footer = {
            "Exit code: 0 broken; 1 not held under this token, or not confirmed by you; 64 wrong usage; 69 the service is"
                    + " unreachable or refuses.",
            "Example: hasp break orders/42 --token 459738924537243904"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class BreakCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(names = "--token", required = true, paramLabel = "TOKEN", description = "The fencing token of the holder.")
    private long token;

    @Option(names = "--yes", description = "Asks no question. Needed without a terminal.")
    private boolean yes;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Service service;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        Console console = yes ? null : Terminal.console();
        if (!yes && console == null) {
            throw new ParameterException(
                    spec.commandLine(), "there is no terminal to ask for a confirmation: add --yes to break the lock");
        }
        PrintWriter out = spec.commandLine().getOut();
        try (LockClient locks = service.connect()) {
            LockInspector inspector = locks.inspector();
            if (console != null && !confirmed(console, inspector.lock(name))) {
                out.println("not broken");
                return Exit.NO;
            }
            boolean broken = inspector.breakLock(name, token);
            out.println(
                    broken
                            ? "broken: lock " + quoted() + ", token " + token
                                    + ". The former holder finds out at its next renewal at the latest"
                            : "not broken: lock " + quoted() + " is not held under token " + token + "; "
                                    + holders(inspector.lock(name)));
            return broken ? Exit.OK : Exit.NO;
        }
    }

    private boolean confirmed(Console console, Optional<LockView> lock) {
        String answer = console.readLine(
                "%s",
                "Lock " + quoted() + ": " + holders(lock) + ". Break token " + token
                        + "? Its holder may still be at work. [y/N] ");
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
    }

    static String holders(Optional<LockView> lock) {
        String held = lock.map(LockView::holders).stream()
                .flatMap(List::stream)
                .map(holder -> LockText.label(holder.label()) + " since " + LockText.time(holder.since())
                        + " with token " + holder.fencingToken())
                .collect(Collectors.joining(", "));
        if (!held.isEmpty()) {
            return "held by " + held;
        }
        boolean stored = lock.stream()
                .flatMap(view -> view.nodes().stream())
                .anyMatch(node -> !node.holders().isEmpty());
        return stored ? "it may have a holder, whose grant some of the servers store" : "it has no holder";
    }

    private String quoted() {
        return "'" + Printable.text(name) + "'";
    }
}
