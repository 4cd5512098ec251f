package io.hasp.cli;

import io.hasp.BackendException;
import io.hasp.LockClient;
import io.hasp.LockInspector;
import io.hasp.LockView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hasp watch}: prints a line when a lock changes hands. */
@Command(
        name = "watch",
        description =
                "Prints a line for each holder that a lock gets or loses, until it is ended. It reads the lock once"
                        + " in an interval: a holder that came and went between two looks is not seen.",
        footerHeading = "%n",
        footer = {
            "Exit code: 128 and the number of the signal that ended it; 64 wrong usage; 69 the service is unreachable or"
                    + " refuses at the beginning.",
            "Example: hasp watch orders/42 --interval 0.5"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class WatchCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

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

    private Map<Long, LockView.Holder> known = Map.of();
    private boolean first = true;
    private boolean unreachable;

    @Override
    public Integer call() throws InterruptedException {
        try (LockClient locks = service.connect()) {
            LockInspector inspector = locks.inspector();
            return interval.repeat(spec, () -> look(inspector));
        }
    }

    private void look(LockInspector inspector) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            changes(inspector.lock(name));
            if (unreachable) {
                err.println("hasp: the service answers again");
            }
            unreachable = false;
        } catch (BackendException e) {
            if (first) {
                throw e;
            }
            if (!unreachable) {
                err.println("hasp: " + Printable.text(String.valueOf(e.getMessage())) + "; trying again");
            }
            unreachable = true;
        }
    }

    private void changes(Optional<LockView> lock) {
        Map<Long, LockView.Holder> now = new LinkedHashMap<>();
        lock.ifPresent(view -> view.holders().forEach(holder -> now.put(holder.fencingToken(), holder)));
        Optional<Instant> at = lock.map(LockView::readAt);
        int waiting = lock.map(LockView::waiting).orElse(0);
        known.forEach((token, holder) -> {
            if (!now.containsKey(token)) {
                print(at, "left", holder, waiting);
            }
        });
        now.forEach((token, holder) -> {
            if (!known.containsKey(token)) {
                print(at, first ? "holds" : "took", holder, waiting);
            }
        });
        if (first && now.isEmpty() && !format.isJson()) {
            spec.commandLine().getOut().println("free");
            spec.commandLine().getOut().flush();
        }
        known = now;
        first = false;
    }

    private void print(Optional<Instant> at, String event, LockView.Holder holder, int waiting) {
        PrintWriter out = spec.commandLine().getOut();
        if (format.isJson()) {
            out.println(LockJson.line(json -> {
                json.name("at").value(at.map(Instant::toString).orElse(null));
                json.name("name").value(name);
                json.name("event").value(event);
                json.name("label").value(holder.label());
                json.name("token").value(Long.toString(holder.fencingToken()));
                json.name("use").value(LockText.word(holder.use()));
                json.name("permits").value(holder.permits());
                json.name("waiting").value(waiting);
            }));
        } else {
            out.println(LockText.time(at.or(holder::since)) + "  " + event + "  " + LockText.label(holder.label())
                    + "  token " + holder.fencingToken() + "  waiters " + waiting);
        }
        out.flush();
    }
}
