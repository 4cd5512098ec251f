package io.hasp.cli;

import io.hasp.BackendException;
import io.hasp.DistributedLock;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.ReleaseResult;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hasp run}: runs a command under a lock, as {@code flock(1)} does on one machine. */
@Command(
        name = "run",
        description = "Runs a command while this process holds a lock. Waits for the lock first. The command is stopped"
                + " before the lock ends, whatever happens.",
        customSynopsis =
                "hasp run [-n | -w SECONDS] [-E CODE] [-s | -x | --permits K/N] [--uri URI] NAME [--] COMMAND...",
        footerHeading = "%n",
        footer = {
            "Exit code: that of the command, or 128 and the number of the signal that ended it; 1 (or CODE) if the lock"
                    + " is busy; 64 wrong usage; 69 the service is unreachable or refuses; 75 the lock was lost; 126 the"
                    + " command can't be run; 127 it was not found.",
            "The command has HASP_LOCK (the name) and HASP_TOKEN (the fencing token) in its environment.",
            "Example, in a crontab on every host:",
            "  0 3 * * *  HASP_URI=redis://db1 hasp run -n -E 0 nightly -- /opt/app/report.sh"
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class RunCommand implements Callable<Integer> {
    private static final Pattern PERMITS = Pattern.compile("([0-9]{1,7})/([0-9]{1,7})");
    private static final long NANOS = 1_000_000_000;
    private static final long LONGEST_WAIT = Long.MAX_VALUE / NANOS;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Service service;

    @ArgGroup
    private @Nullable Waiting waiting;

    static final class Waiting {
        @Option(
                names = {"-n", "--nonblock"},
                description = "Fails at once if the lock is busy.")
        @SuppressWarnings("UnusedVariable") // Its presence makes the group.
        private boolean none;

        @Option(
                names = {"-w", "--wait"},
                paramLabel = "SECONDS",
                description = "Fails if the lock is still busy after that time, such as 10 or 0.5.")
        private @Nullable Double seconds;
    }

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            defaultValue = "1",
            description = "The exit code if the lock is busy: 0 to 255, ${DEFAULT-VALUE} unless given.")
    private int busyCode;

    @ArgGroup
    private @Nullable Share share;

    static final class Share {
        @Option(
                names = {"-s", "--shared"},
                description = "Holds a read-write lock as one of many readers.")
        private boolean read;

        @Option(
                names = {"-x", "--write"},
                description =
                        "Holds a read-write lock as its only writer. Names that other commands use with -s need it.")
        @SuppressWarnings("UnusedVariable") // As the default of the group.
        private boolean write;

        @Option(
                names = "--permits",
                paramLabel = "K/N",
                description = "Holds K of the N permits of a semaphore. N is the same for all who use the name.")
        private @Nullable String permits;
    }

    @Parameters(index = "0", paramLabel = "NAME", description = "The name of the lock.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "The command and its arguments.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private List<String> command;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        List<String> given = command.get(0).equals("--") ? command.subList(1, command.size()) : command;
        if (given.isEmpty()) {
            throw wrong("no command is given after '--'");
        }
        if (command.get(0).startsWith("-") && !command.get(0).equals("--")) {
            throw wrong(
                    "'" + command.get(0) + "' stands behind the name of the lock, where the command begins: options of"
                            + " hasp run come before NAME; '--' before a command that begins with '-'");
        }
        if (busyCode < 0 || busyCode > Exit.MOST) {
            throw wrong("-E is " + busyCode + ", but must be from 0 to " + Exit.MOST);
        }
        Optional<Duration> wait = longestWait();
        Signals signals = Signals.receive();
        try (LockClient locks = service.connect()) {
            DistributedLock lock = lock(locks);
            Optional<Lease> lease;
            AtomicInteger signalled = new AtomicInteger();
            Thread waiter = Thread.currentThread();
            signals.to(signal -> {
                signalled.set(signal.number());
                waiter.interrupt();
            });
            try {
                lease = acquire(lock, wait);
            } catch (InterruptedException e) {
                return Exit.SIGNALLED + signalled.get();
            }
            return lease.isEmpty() ? busy() : under(lease.get(), given, signals);
        }
    }

    private DistributedLock lock(LockClient locks) {
        if (share == null) {
            return locks.lock(name);
        }
        if (share.permits == null) {
            return share.read
                    ? locks.readWriteLock(name).read()
                    : locks.readWriteLock(name).write();
        }
        Matcher given = PERMITS.matcher(share.permits);
        if (!given.matches()) {
            throw wrong("--permits is '" + share.permits + "', but must be two numbers, such as 1/4");
        }
        return locks.semaphore(name, Integer.parseInt(given.group(2))).permits(Integer.parseInt(given.group(1)));
    }

    /** Empty if there is no limit. */
    private Optional<Duration> longestWait() {
        if (waiting == null) {
            return Optional.empty();
        }
        if (waiting.seconds == null) {
            return Optional.of(Duration.ZERO);
        }
        if (!(waiting.seconds >= 0 && waiting.seconds <= LONGEST_WAIT)) {
            throw wrong("-w is " + waiting.seconds + ", but must be from 0 to " + LONGEST_WAIT + " seconds");
        }
        return Optional.of(Duration.ofNanos((long) (waiting.seconds * NANOS)));
    }

    private static Optional<Lease> acquire(DistributedLock lock, Optional<Duration> wait) throws InterruptedException {
        return wait.isEmpty() ? Optional.of(lock.acquire()) : lock.tryAcquire(wait.get());
    }

    private int busy() {
        err().println("hasp: lock '" + Printable.text(name) + "' is busy");
        return busyCode;
    }

    private int under(Lease lease, List<String> given, Signals signals) throws InterruptedException {
        int exit = new LockedRun(lease, err()).run(given, signals);
        try {
            if (lease.release() == ReleaseResult.LOST && exit != Exit.LOST) {
                err().println("hasp: lock '" + Printable.text(name) + "' was lost before the command ended with "
                        + exit);
                return Exit.LOST;
            }
        } catch (BackendException e) {
            err().println("hasp: the command has ended under the lock, which stays taken until its lease ends: "
                    + Printable.text(String.valueOf(e.getMessage())));
        }
        return exit;
    }

    private PrintWriter err() {
        return spec.commandLine().getErr();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
