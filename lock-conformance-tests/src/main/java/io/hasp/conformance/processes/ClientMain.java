package io.hasp.conformance.processes;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.HistoryLog;
import io.hasp.conformance.history.RecordedHold;
import io.hasp.conformance.history.RecordedUser;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The main program of a client process. It opens a client of a lock under test and executes the commands of
 * {@link ClientJvm}, each on a thread of its own. After that client it may open another one. It ends on command, and at
 * once when its input ends.
 */
final class ClientMain {
    private static final String NOTHING = "-";

    private final SubjectFactory factory;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicReference<@Nullable Client> open = new AtomicReference<>();

    private record Kept(String lock, RecordedHold hold) {}

    private record Client(RecordedUser user, HistoryLog log, Map<Long, Kept> holds) {
        static Client open(SubjectFactory factory, String name, String argument, Path history) throws Exception {
            HistoryLog log = HistoryLog.appendingTo(history);
            return new Client(
                    new RecordedUser(factory.subject(argument).open(), log, name), log, new ConcurrentSkipListMap<>());
        }
    }

    private ClientMain(SubjectFactory factory) {
        this.factory = factory;
    }

    /** The command line that starts it. */
    static List<String> command(Class<? extends SubjectFactory> factory) {
        List<String> options = new ArrayList<>(List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        // Such as the scale of all timings.
        System.getProperties().stringPropertyNames().stream()
                .filter(property -> property.startsWith("hasp."))
                .sorted()
                .map(property -> "-D" + property + "=" + System.getProperty(property))
                .forEach(options::add);
        return JavaProgram.command(options, ClientMain.class, factory.getName());
    }

    /** Argument: the factory class. */
    public static void main(String[] args) {
        CommandServer server = CommandServer.onStandardStreams();
        try {
            ClientMain main = new ClientMain(Class.forName(args[0])
                    .asSubclass(SubjectFactory.class)
                    .getDeclaredConstructor()
                    .newInstance());
            server.serve(main.threads, main::perform, main::close);
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    private Message perform(Message command) throws Exception {
        return switch (command.word()) {
            case "open" -> open(command);
            case "close" -> {
                close();
                yield command.answer("done");
            }
            case "acquire" -> acquire(command);
            case "release" -> release(command);
            case "report" -> report(command);
            case "loop" -> loop(command);
            case "errors" -> errors(command);
            default -> throw new IllegalArgumentException("unknown command " + command.word());
        };
    }

    /** Name of the client, the factory's argument, history file. */
    private Message open(Message command) throws Exception {
        try {
            open.set(Client.open(factory, command.text(0), command.text(1), Path.of(command.text(2))));
            return command.answer("done");
        } catch (Exception | Error e) {
            e.printStackTrace();
            throw e;
        }
    }

    /** If one is open. The next end of this process does not wait for it again. */
    private void close() throws Exception {
        Client closing = open.getAndSet(null);
        if (closing != null) {
            closing.user().close();
            closing.log().close();
        }
    }

    private Client client() {
        return Objects.requireNonNull(open.get(), "no client is open");
    }

    /** Lock, wait, lease or nothing, mode. */
    private Message acquire(Message command) throws Exception {
        Client client = client();
        Optional<RecordedHold> taken = client.user()
                .recorded(
                        command.text(0),
                        LockMode.of(command.number(3)),
                        duration(command.text(1)),
                        lease(command.text(2)));
        if (taken.isEmpty()) {
            return command.answer("refused");
        }
        RecordedHold hold = taken.get();
        client.holds().put(hold.log().number(), new Kept(command.text(0), hold));
        return command.answer("granted", hold.log().number(), hold.token().orElse(0));
    }

    /** Number of the hold; it stays known if the release fails. */
    private Message release(Message command) throws Exception {
        Map<Long, Kept> holds = client().holds();
        Kept kept = holds.get(command.number(0));
        if (kept == null) {
            return command.answer("not-held");
        }
        boolean held = kept.hold().release();
        holds.remove(command.number(0));
        return command.answer(held ? "released" : "not-held");
    }

    /** Answers with number, lock, token, belief and time of each hold. */
    private Message report(Message command) {
        Object[] report = client().holds().entrySet().stream()
                .flatMap(entry -> {
                    RecordedHold hold = entry.getValue().hold();
                    long asked = System.nanoTime();
                    return List.<Object>of(
                            entry.getKey(),
                            entry.getValue().lock(),
                            hold.token().orElse(0),
                            hold.believesHeld(),
                            asked)
                            .stream();
                })
                .toArray();
        return command.answer("report", report);
    }

    /** A seed to begin with them, nothing to end them. */
    private Message errors(Message command) throws Exception {
        if (!(factory instanceof ErrorInjector source)) {
            throw new IllegalArgumentException(factory.getClass().getName() + " throws no errors");
        }
        if (command.arguments().isEmpty()) {
            source.stopErrors();
        } else {
            source.throwErrors(command.number(0));
        }
        return command.answer("done");
    }

    private Message loop(Message command) throws IOException {
        LockLoop loop = LockLoop.on(command.text(0), duration(command.text(1)))
                .rounds(command.number(2))
                .threads((int) command.number(3))
                .waiting(duration(command.text(4)))
                .holding(duration(command.text(5)))
                .as(LockMode.of(command.number(9)));
        Duration lease = lease(command.text(6));
        loop = lease == null ? loop : loop.leased(lease);
        if (!command.text(7).equals(NOTHING)) {
            Path file = Path.of(command.text(7));
            loop = Boolean.parseBoolean(command.text(8)) ? loop.countingFenced(file) : loop.counting(file);
        }
        loop = Boolean.parseBoolean(command.text(10)) ? loop.lowered() : loop;
        loop = command.text(11).equals(NOTHING)
                ? loop
                : loop.together(List.of(command.text(11).split(",")));
        Outcome sum = LockLoopRunner.run(client().user(), loop, threads);
        return command.answer("looped", sum.held(), sum.refused(), sum.failed(), sum.fencedOff());
    }

    /** Encodes the arguments of {@link #loop}. */
    static Object[] arguments(LockLoop loop) {
        return new Object[] {
            loop.lock(),
            loop.time(),
            loop.rounds(),
            loop.threads(),
            loop.patience(),
            loop.hold(),
            loop.lease().map(Duration::toString).orElse(NOTHING),
            loop.counter().map(Path::toString).orElse(NOTHING),
            loop.fenced(),
            loop.mode().number(),
            loop.lowering(),
            loop.others().isEmpty() ? NOTHING : String.join(",", loop.others())
        };
    }

    /** Encodes the arguments of {@link #acquire}. */
    static Object[] arguments(String lock, LockMode mode, Duration wait, @Nullable Duration lease) {
        return new Object[] {lock, wait, lease == null ? NOTHING : lease, mode.number()};
    }

    private static @Nullable Duration lease(String text) {
        return text.equals(NOTHING) ? null : duration(text);
    }

    private static Duration duration(String text) {
        return Duration.parse(text);
    }
}
