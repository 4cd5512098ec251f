package io.hasp.evaluation;

import io.hasp.evaluation.measure.Comparison;
import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.ConnectedSubject;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Pairing;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.MultiProcessSubject;
import io.hasp.evaluation.process.ProcessPool;
import io.hasp.evaluation.report.LiveProgress;
import io.hasp.evaluation.report.Machine;
import io.hasp.evaluation.report.Report;
import io.hasp.evaluation.report.ResultsFolder;
import io.hasp.evaluation.report.Run;
import io.hasp.evaluation.servers.Backend;
import io.hasp.evaluation.servers.Distance;
import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.ConnectedSubjects;
import io.hasp.evaluation.subject.Subject;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hasp compare}: starts the servers, measures, reports. */
@Command(
        name = "compare",
        description =
                "Measures Hasp's locks on real Redis and real ZooKeeper servers, which it starts and stops itself,"
                        + " or on yours, beside the locks people use today.",
        mixinStandardHelpOptions = true,
        versionProvider = Hasp.Version.class,
        sortOptions = false)
final class CompareCommand implements Callable<Integer> {
    private static final int MOST_ROUNDS = 100;

    private final long begin = System.nanoTime();
    private final Function<ComparisonTier, Schedule> schedules;

    @ArgGroup
    private @Nullable Length length;

    private static final class Length {
        @Option(
                names = "--quick",
                description =
                        "At most one minute, the default locks beside what people use today: fewer experiments and locks."
                                + " Without it: at most eight minutes.")
        private boolean quick;

        @Option(
                names = "--full",
                description = "All experiments and locks, and more sizes. Takes about two and a half hours.")
        private boolean full;
    }

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "EXPERIMENT",
            converter = ExperimentConverter.class,
            description =
                    "Only these experiments: uncontended, distinct, contended, handoff, read-mostly, permits, sticky,"
                            + " ping-pong, alternating, foreign-1, foreign-10, foreign-50, recall, watchdog, takeover,"
                            + " failover, stopped, footprint. Without it: the first six, the first three with --quick,"
                            + " and all with --full.")
    private @Nullable List<Experiment> experiments;

    @Option(
            names = "--subjects",
            split = ",",
            paramLabel = "SUBJECT",
            converter = SubjectConverter.class,
            completionCandidates = SubjectConverter.class,
            description = "Only these locks: ${COMPLETION-CANDIDATES}. Without it: all with --full, few with --quick,"
                    + " and otherwise what most people use beside Hasp's locks without variants (-nohandoff,"
                    + " -nospin, -metrics, -jfr, -async); -kept in the experiments from sticky to recall only.")
    private @Nullable List<Subject> subjects;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "This many rounds instead of six (four with --quick). More rounds take longer than stated above and"
                            + " narrow the brackets of the ratios: see docs/method.md.")
    private @Nullable Integer rounds;

    @Option(
            names = "--backend",
            paramLabel = "URI",
            converter = BackendConverter.class,
            description =
                    "Measures your servers instead of starting some: redis://, redlock:// or zookeeper://, each at most"
                            + " once. Everything written there has a random name in its key or path and is removed at the"
                            + " end (on Redis by SCAN and DEL). No fault is injected. Example:"
                            + " redis://user:password@host:6379/0")
    private List<Backend> backends = List.of();

    @Option(
            names = "--servers",
            paramLabel = "KIND",
            converter = TopologyConverter.class,
            description =
                    "How Redis is started: standalone; sentinel, a master with two replicas and three sentinels; or cluster,"
                            + " three masters with a replica each. With the last two, only locks on Redis take part.")
    private RedisTopology topology = RedisTopology.STANDALONE;

    @Option(
            names = "--distance",
            paramLabel = "MS",
            converter = DistanceConverter.class,
            description =
                    "Puts the servers that are started so many milliseconds away from all clients, each way, by a proxy"
                            + " before each server: a round trip takes twice as much longer. Example: 0.3")
    private Distance distance = Distance.NONE;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Writes report.html, results.json and results.csv there and replaces earlier ones.")
    private @Nullable Path out;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    CompareCommand() {
        this(Schedule::of);
    }

    CompareCommand(Function<ComparisonTier, Schedule> schedules) {
        this.schedules = schedules;
    }

    private ComparisonTier tier() {
        if (length != null && length.quick) {
            return ComparisonTier.QUICK;
        }
        return length != null && length.full ? ComparisonTier.FULL : ComparisonTier.USUAL;
    }

    @Override
    public Integer call() throws Exception {
        Plan plan = Plan.of(tier(), experiments, subjects, backends, topology, distance, this::wrong);
        Schedule schedule = schedule();
        Optional<ResultsFolder> folder = resultsFolder();
        try (CtrlC ctrlC = CtrlC.interruptsThisThread()) {
            return measureAndTell(plan, schedule, folder);
        }
    }

    private Schedule schedule() {
        Schedule usual = schedules.apply(tier());
        if (rounds == null) {
            return usual;
        }
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            throw wrong("--rounds is " + rounds + ": it has to be from 1 to " + MOST_ROUNDS);
        }
        return usual.withRounds(rounds);
    }

    private ParameterException wrong(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    private int measureAndTell(Plan plan, Schedule schedule, Optional<ResultsFolder> folder) throws Exception {
        try {
            Results results = measure(plan, schedule, folder);
            if (!results.interrupted()) {
                return results.clean() ? 0 : Hasp.FAILED;
            }
        } catch (InterruptedException e) {
            // Interrupted before anything was measured.
            Thread.interrupted();
        }
        say(
                backends.isEmpty()
                        ? "hasp: interrupted; all servers are stopped"
                        : "hasp: interrupted; nothing is left on your servers");
        return Hasp.INTERRUPTED;
    }

    private Run run(Results results) {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        return Run.of(arguments, Duration.ofNanos(System.nanoTime() - begin), results.interrupted());
    }

    private Optional<ResultsFolder> resultsFolder() {
        if (out == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ResultsFolder.in(out));
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "cannot write results to '" + out + "': " + reason(e));
        }
    }

    /** Reports before the servers are closed: a failure to close them must not lose the results. */
    private Results measure(Plan plan, Schedule schedule, Optional<ResultsFolder> folder) throws Exception {
        List<Subject> chosen = plan.subjects();
        try (Servers servers = servers(plan);
                ConnectedSubjects connected = ConnectedSubjects.to(chosen, servers.environment());
                ProcessPool pool = ProcessPool.start(plan.processes(), servers.environment(), plan.labels())) {
            List<ConnectedSubject> measured = new ArrayList<>();
            for (int each = 0; each < chosen.size(); each++) {
                measured.add(new MultiProcessSubject(
                        connected.subjects().get(each), pool, chosen.get(each), servers, plan.does(chosen.get(each))));
            }
            Machine machine = Machine.describe(servers.versions());
            List<ServiceGroup> groups = plan.groups(servers);
            Results results = compare(measured, plan.workloads(), schedule, groups);
            tell(machine, results, groups, folder);
            return results;
        }
    }

    private void tell(Machine machine, Results results, List<ServiceGroup> groups, Optional<ResultsFolder> folder)
            throws IOException {
        new Report(machine, results, groups).print(spec.commandLine().getOut());
        if (folder.isPresent()) {
            folder.get().write(run(results), machine, results, groups);
            folder.get().files().forEach(file -> say("Written to " + file));
        }
    }

    private Servers servers(Plan plan) throws InterruptedException {
        if (backends.isEmpty()) {
            say("Starting " + plan.services().stream().map(this::started).collect(Collectors.joining(" and "))
                    + " ...");
            plan.leftOut().ifPresent(this::say);
            return Servers.start(plan.services(), topology, distance);
        }
        say("Looking at " + backends.stream().map(Backend::address).collect(Collectors.joining(" and ")) + " ...");
        Servers given = Servers.given(backends);
        plan.services().stream()
                .filter(service -> Double.isNaN(given.counters(service).commands()))
                .forEach(service -> say(given.words(service)
                        + " does not tell what it counts: commands_per_acquisition and server_cpu are left out there"));
        plan.leftOut().ifPresent(this::say);
        return given;
    }

    private String started(Service service) {
        return service == Service.REDIS ? topology.words() : service.words();
    }

    private Results compare(
            List<ConnectedSubject> subjects, List<Workload> workloads, Schedule schedule, List<ServiceGroup> groups) {
        say("Measuring: one round to warm up, %d that count, about %d s ..."
                .formatted(
                        schedule.rounds(),
                        schedule.expected(workloads, subjects.size()).toSeconds()));
        List<Pairing> pairings =
                groups.stream().flatMap(group -> group.pairings().stream()).toList();
        try (LiveProgress progress = LiveProgress.onStandardError()) {
            return new Comparison(subjects, workloads, schedule, progress)
                    .run(pairings, schedule.limit().minusNanos(System.nanoTime() - begin));
        }
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
    }

    /** Some file system exceptions tell the reason only by their class; their message is just the path. */
    private static String reason(IOException e) {
        boolean named = e instanceof FileSystemException file && file.getReason() == null;
        String words = named ? e.getClass().getSimpleName().replace("Exception", "") + ": " : "";
        return words + e.getMessage();
    }
}
