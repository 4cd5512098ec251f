package io.hasp.evaluation;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.evaluation.measure.Comparison;
import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.ConnectedSubject;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.Schedule;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.MultiProcessSubject;
import io.hasp.evaluation.process.ProcessPool;
import io.hasp.evaluation.report.EarlierResults;
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
import io.hasp.evaluation.statistics.Pairing;
import io.hasp.evaluation.subject.JarSubject;
import io.hasp.evaluation.subject.Participant;
import io.hasp.evaluation.subject.Subject;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    private final long begin = System.nanoTime();
    private final Function<ComparisonTier, Schedule> schedules;
    private Optional<EarlierResults> earlier = Optional.empty();
    private Optional<String> complaint = Optional.empty();
    private boolean reported = true;

    @Mixin
    private final Effort effort = new Effort();

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "EXPERIMENT",
            description =
                    "Only these experiments: uncontended, distinct, contended, handoff, read-mostly, permits, all-of, sticky,"
                            + " ping-pong, alternating, foreign-1, foreign-10, foreign-50, recall, held, takeover,"
                            + " election, failover, stopped, footprint, waiters, names, fresh, holds, rate. Without it: the"
                            + " first six, the first three with --quick, all up to footprint with --full, held and"
                            + " the others with --curves.")
    private @Nullable List<Experiment> experiments;

    @Option(
            names = "--subjects",
            split = ",",
            paramLabel = "SUBJECT",
            completionCandidates = Labels.class,
            description = "Only these locks: ${COMPLETION-CANDIDATES}. Without it: all with --full, few with --quick,"
                    + " and otherwise what most people use beside Hasp's locks;"
                    + " -kept in the experiments from sticky to recall only.")
    private @Nullable List<Subject> subjects;

    @Option(
            names = "--subject-jar",
            split = ",",
            paramLabel = "JAR",
            description =
                    "Locks that do not come with Hasp take part, too: each LockSubject that is found in these jars as a service"
                            + " (docs/your-own-lock.md). Jars of libraries that they need are named as well.")
    private List<Path> jars = List.of();

    @Option(
            names = "--backend",
            paramLabel = "URI",
            description =
                    "Measures your servers instead of starting some: redis://, redlock://, zookeeper:// or postgresql://,"
                            + " each at most once. Everything written there has a random name in its key, path or schema and"
                            + " is removed at the end (on Redis by SCAN and DEL). No fault is injected. Example:"
                            + " redis://user:password@host:6379/0")
    private List<Backend> backends = List.of();

    @Option(
            names = "--servers",
            paramLabel = "KIND",
            description =
                    "How Redis is started: standalone; sentinel, a master with two replicas and three sentinels; or cluster,"
                            + " three masters with a replica each. With the last two, only locks on Redis take part.")
    private RedisTopology topology = RedisTopology.STANDALONE;

    @Option(
            names = "--rtt",
            split = ",",
            paramLabel = "MS",
            description =
                    "Lets each round trip to the servers that are started take so many milliseconds longer, by a proxy before"
                            + " each server. Several are measured one after the other and shown as curves. Example: 0,0.2,1,5")
    private List<Distance> distances = List.of();

    @ArgGroup(exclusive = false)
    private Regression.@Nullable Options regression;

    @Option(
            names = "--strict",
            description = "Exits with 1 also if a lock of another library failed or violated safety. Without it, only"
                    + " Hasp's locks, those of --subject-jar and the baselines count.")
    private boolean strict;

    @Option(names = "--verbose", description = "Prints all tables with --quick, too.")
    private boolean verbose;

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

    @Override
    public Integer call() throws Exception {
        Plan plan = effort.holding(
                Plan.of(
                        effort.tier(),
                        experiments,
                        subjects,
                        jarSubjects(),
                        backends,
                        topology,
                        distances,
                        this::wrong),
                this::wrong);
        Schedule schedule = effort.schedule(schedules, this::wrong);
        Optional<ResultsFolder> folder = resultsFolder();
        earlier = regression == null ? Optional.empty() : regression.read(this::wrong);
        try (CtrlC ctrlC = CtrlC.interruptsThisThread()) {
            return measureAndTell(plan, schedule, folder);
        }
    }

    private List<JarSubject> jarSubjects() {
        try {
            return jars.isEmpty() ? List.of() : JarSubject.in(jars);
        } catch (IllegalArgumentException e) {
            throw wrong("--subject-jar: " + e.getMessage());
        }
    }

    private ParameterException wrong(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    private int measureAndTell(Plan plan, Schedule schedule, Optional<ResultsFolder> folder) throws Exception {
        try {
            Results results = measure(plan, schedule, folder);
            if (!results.interrupted()) {
                return reported && results.clean(strict ? Set.of() : peers(plan))
                        ? complaint.isEmpty() ? 0 : Hasp.WORSE
                        : Hasp.FAILED;
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

    private static Set<String> peers(Plan plan) {
        return plan.subjects().stream()
                .filter(each -> each instanceof Subject && each.role() == Subject.Role.PEER)
                .map(Participant::label)
                .collect(Collectors.toSet());
    }

    private Run run(Results results) {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        return Run.of(arguments, effort.seed(), Duration.ofNanos(System.nanoTime() - begin), results.interrupted());
    }

    private Optional<ResultsFolder> resultsFolder() {
        if (out == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ResultsFolder.in(out));
        } catch (IOException e) {
            throw new ParameterException(
                    spec.commandLine(), "cannot write results to '" + out + "': " + ResultsFolder.reason(e));
        }
    }

    /** Reports before the servers are closed: a failure to close them must not lose the results. */
    private Results measure(Plan wanted, Schedule schedule, Optional<ResultsFolder> folder) throws Exception {
        Plan plan = startable(wanted);
        List<Participant> chosen = plan.subjects();
        try (Servers servers = servers(plan);
                ProcessPool pool = pool(plan, servers)) {
            List<ConnectedSubject> measured = new ArrayList<>();
            for (Participant each : chosen) {
                measured.add(new MultiProcessSubject(pool, each, servers, plan.does(each)));
            }
            Machine machine = Machine.describe(servers.versions());
            List<ServiceGroup> groups = plan.groups(servers);
            Results results = compare(measured, plan.workloads(), schedule, groups, pool);
            report(machine, results, groups, folder);
            return results;
        }
    }

    private ProcessPool pool(Plan plan, Servers servers) throws InterruptedException {
        List<String> idle = plan.idle(servers.environment());
        String locks = String.join(" and ", idle);
        String experiments = " none of the experiments " + plan.experiments();
        if (idle.size() == plan.subjects().size()) {
            throw wrong("nothing to measure: " + locks + (idle.size() == 1 ? " does" : " do") + experiments);
        }
        if (!idle.isEmpty() && subjects != null) {
            say("Left out: " + locks + (idle.size() == 1 ? ": it does" : ": they do") + experiments);
        }
        return ProcessPool.start(plan.processes(), servers.environment(), plan.references());
    }

    private void report(Machine machine, Results results, List<ServiceGroup> groups, Optional<ResultsFolder> folder)
            throws IOException {
        Report report = new Report(machine, results, groups);
        if (effort.tier() == ComparisonTier.QUICK && !verbose) {
            report.printShort(spec.commandLine().getOut());
        } else {
            report.print(spec.commandLine().getOut());
        }
        reported = !spec.commandLine().getOut().checkError() && (!System.out.checkError() || hasNoReader());
        if (!reported) {
            say("hasp: the report can't be written to standard output");
        }
        complaint = earlier.flatMap(file -> file.complaint(machine, results, groups));
        complaint.ifPresent(words -> say("hasp: " + words));
        if (folder.isPresent()) {
            folder.get().write(run(results), machine, results, groups);
            folder.get().files().forEach(file -> say("Written to " + file));
        }
    }

    /** Standard output hides its errors. A pipe to {@code head} is closed, and a full disk is not. */
    private static boolean hasNoReader() {
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
            return false;
        } catch (IOException e) {
            return "Broken pipe".equals(e.getMessage());
        }
    }

    /** A machine on which no PostgreSQL can be started measures the other locks, unless the user named these. */
    private Plan startable(Plan plan) {
        Optional<String> why = backends.isEmpty() && plan.services().contains(Service.POSTGRES)
                ? PostgresServer.obstacle()
                : Optional.empty();
        if (why.isPresent() && subjects != null) {
            throw new IllegalStateException("no PostgreSQL can be started here: " + why.get()
                    + "; --backend postgresql:// measures locks on a server of yours");
        }
        return why.map(words -> plan.without(Service.POSTGRES, words)).orElse(plan);
    }

    private Servers servers(Plan plan) throws InterruptedException {
        if (backends.isEmpty()) {
            say("Starting " + plan.services().stream().map(this::started).collect(Collectors.joining(" and "))
                    + " ...");
            plan.leftOut().ifPresent(this::say);
            return Servers.start(plan.services(), topology, plan.distance());
        }
        say("Looking at " + backends.stream().map(Backend::address).collect(Collectors.joining(" and ")) + " ...");
        Servers given = Servers.given(backends);
        plan.services().stream()
                .filter(service -> Double.isNaN(given.counters(service).commands()))
                .forEach(service -> say(given.words(service)
                        + " does not tell what it counts: what an acquisition costs the servers is left out there"));
        plan.leftOut().ifPresent(this::say);
        return given;
    }

    private String started(Service service) {
        return service == Service.REDIS ? topology.words() : service.words();
    }

    private Results compare(
            List<ConnectedSubject> subjects,
            List<Workload> workloads,
            Schedule schedule,
            List<ServiceGroup> groups,
            ProcessPool pool) {
        say("Measuring: %d fork(s), in each one round to warm up and %d that count, about %d s; order by --seed %d ..."
                .formatted(
                        schedule.forks(),
                        schedule.rounds(),
                        schedule.expected(workloads, ConnectedSubject.participants(subjects))
                                .toSeconds(),
                        effort.seed()));
        Schedule allowed = experiments == null
                ? schedule
                : schedule.withTrials(workloads, ConnectedSubject.participants(subjects));
        List<Pairing> pairings =
                groups.stream().flatMap(group -> group.pairings().stream()).toList();
        try (LiveProgress progress = LiveProgress.onStandardError()) {
            return new Comparison(subjects, workloads, allowed, progress, pool::renew, effort.seed())
                    .run(pairings, allowed.limit().minusNanos(System.nanoTime() - begin));
        }
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
    }

    static final class Labels implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(Subject.values()).map(Subject::label).iterator();
        }
    }
}
