package io.hasp.evaluation;

import io.hasp.evaluation.measure.Comparison;
import io.hasp.evaluation.measure.Entrant;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Extent;
import io.hasp.evaluation.measure.Group;
import io.hasp.evaluation.measure.Pace;
import io.hasp.evaluation.measure.Pairing;
import io.hasp.evaluation.measure.Results;
import io.hasp.evaluation.measure.ServerCounters;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.process.Fleets;
import io.hasp.evaluation.process.Team;
import io.hasp.evaluation.report.LiveProgress;
import io.hasp.evaluation.report.Machine;
import io.hasp.evaluation.report.Report;
import io.hasp.evaluation.report.ResultsFolder;
import io.hasp.evaluation.report.Run;
import io.hasp.evaluation.subject.Connected;
import io.hasp.evaluation.subject.Contestant;
import io.hasp.evaluation.subject.Contestant.Role;
import io.hasp.evaluation.subject.Servers;
import io.hasp.evaluation.subject.Service;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hasp compare}: starts the servers, measures, tells. */
@Command(
        name = "compare",
        description =
                "Measures Hasp's locks on real Redis and real ZooKeeper servers, which it starts and stops itself,"
                        + " beside the locks people use today.",
        mixinStandardHelpOptions = true,
        versionProvider = Hasp.Version.class,
        sortOptions = false)
final class CompareCommand implements Callable<Integer> {
    private final long begin = System.nanoTime();
    private final Function<Extent, Pace> paces;

    @ArgGroup
    private @Nullable Length length;

    private static final class Length {
        @Option(
                names = "--quick",
                description = "At most one minute: fewer experiments and locks. Without it: at most eight minutes.")
        private boolean quick;

        @Option(names = "--full", description = "All experiments and locks, and more sizes. Takes most of an hour.")
        private boolean full;
    }

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "EXPERIMENT",
            description =
                    "Only these experiments: uncontended, distinct, contended, handoff, watchdog. Without it: all,"
                            + " but handoff not with --quick, and watchdog only with --full.")
    private @Nullable List<Experiment> experiments;

    @Option(
            names = "--subjects",
            split = ",",
            paramLabel = "SUBJECT",
            converter = ContestantNames.class,
            completionCandidates = ContestantNames.class,
            description =
                    "Only these locks: ${COMPLETION-CANDIDATES}. Without it: all, but those without local hand-off only with"
                            + " --full, and only half of the others with --quick.")
    private @Nullable List<Contestant> contestants;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Writes report.html, results.json and results.csv there, in the place of earlier ones.")
    private @Nullable Path out;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    CompareCommand() {
        this(Pace::of);
    }

    CompareCommand(Function<Extent, Pace> paces) {
        this.paces = paces;
    }

    private Extent extent() {
        if (length != null && length.quick) {
            return Extent.QUICK;
        }
        return length != null && length.full ? Extent.FULL : Extent.USUAL;
    }

    @Override
    public Integer call() throws Exception {
        Optional<ResultsFolder> folder = resultsFolder();
        Extent extent = extent();
        List<Workload> workloads = (experiments != null
                        ? experiments.stream()
                        : Stream.of(Experiment.values()).filter(experiment -> experiment.belongsTo(extent)))
                .distinct()
                .sorted()
                .flatMap(experiment -> experiment.workloads(extent).stream())
                .toList();
        List<Contestant> taking = (contestants != null ? contestants.stream() : Contestant.usual(extent))
                .distinct()
                .sorted()
                .toList();
        try (CtrlC ctrlC = CtrlC.interruptsThisThread()) {
            return measureAndTell(taking, workloads, folder);
        }
    }

    private int measureAndTell(List<Contestant> taking, List<Workload> workloads, Optional<ResultsFolder> folder)
            throws Exception {
        List<Group> groups = groups(taking);
        try {
            Measured measured = measure(taking, workloads, groups);
            new Report(measured.machine(), measured.results(), groups)
                    .print(spec.commandLine().getOut());
            if (folder.isPresent()) {
                folder.get().write(run(measured.results()), measured.machine(), measured.results(), groups);
                folder.get().files().forEach(file -> say("Written to " + file));
            }
            if (!measured.results().interrupted()) {
                return measured.results().clean() ? 0 : Hasp.FAILED;
            }
        } catch (InterruptedException e) {
            // Before anything was measured.
            Thread.interrupted();
        }
        say("hasp: interrupted; all servers are stopped");
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

    private record Measured(Machine machine, Results results) {}

    private Measured measure(List<Contestant> taking, List<Workload> workloads, List<Group> groups) throws Exception {
        EnumSet<Service> services = EnumSet.noneOf(Service.class);
        taking.forEach(contestant -> services.add(contestant.service()));
        say("Starting " + services.stream().map(Service::words).collect(Collectors.joining(" and ")) + " ...");
        try (Servers servers = Servers.start(services);
                Connected connected = Connected.to(taking, servers.addresses());
                Fleets fleets = Fleets.start(processes(workloads), servers.addresses(), labels(taking))) {
            List<Entrant> teams = new ArrayList<>();
            for (int each = 0; each < taking.size(); each++) {
                ServerCounters counters = servers.counters(taking.get(each).service());
                teams.add(new Team(connected.entrants().get(each), fleets, counters));
            }
            Machine machine = Machine.describe(servers.versions());
            return new Measured(machine, compare(teams, workloads, groups));
        }
    }

    /** How many client processes all subjects share. */
    private static int processes(List<Workload> workloads) {
        return workloads.stream()
                .mapToInt(Workload::processes)
                .filter(processes -> processes > 1)
                .max()
                .orElse(0);
    }

    private Results compare(List<Entrant> entrants, List<Workload> workloads, List<Group> groups) {
        Pace pace = paces.apply(extent());
        say("Measuring: one round to warm up, %d that count, about %d s ..."
                .formatted(
                        pace.rounds(), pace.expected(workloads, entrants.size()).toSeconds()));
        List<Pairing> pairings =
                groups.stream().flatMap(group -> group.pairings().stream()).toList();
        try (LiveProgress progress = LiveProgress.onStandardError()) {
            return new Comparison(entrants, workloads, pace, progress)
                    .run(pairings, pace.limit().minusNanos(System.nanoTime() - begin));
        }
    }

    private static List<Group> groups(List<Contestant> taking) {
        return Stream.of(Service.values())
                .map(service -> new Group(
                        service.words(),
                        labels(taking, service, Role.HASP),
                        labels(taking, service, Role.PEER),
                        labels(taking, service, Role.FLOOR)))
                .filter(group -> !group.subjects().isEmpty())
                .toList();
    }

    private static List<String> labels(List<Contestant> taking) {
        return taking.stream().map(Contestant::label).toList();
    }

    private static List<String> labels(List<Contestant> taking, Service service, Role role) {
        return taking.stream()
                .filter(each -> each.service() == service && each.role() == role)
                .map(Contestant::label)
                .toList();
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
    }

    /** Some exceptions of the file system say what is wrong by their class alone, and name only the file. */
    private static String reason(IOException e) {
        boolean named = e instanceof FileSystemException file && file.getReason() == null;
        String words = named ? e.getClass().getSimpleName().replace("Exception", "") + ": " : "";
        return words + e.getMessage();
    }
}
