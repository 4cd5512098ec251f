package io.hasp.evaluation;

import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.LockClient;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.ElectionSubjectFactory;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.torture.TortureClients;
import io.hasp.conformance.torture.TortureEnvironment;
import io.hasp.conformance.torture.TortureResult;
import io.hasp.evaluation.report.TortureCounts;
import io.hasp.evaluation.servers.TortureTarget;
import io.hasp.evaluation.subject.TorturedPeer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code hasp torture}: runs client processes while random faults break servers, network and clients. */
@Command(
        name = "torture",
        description = "Lets four client processes take locks while servers, network and clients are paused, killed and"
                + " cut off at random, and judges the history of what they saw. The servers are real ones, which it"
                + " starts and stops itself.",
        mixinStandardHelpOptions = true,
        versionProvider = Hasp.Version.class,
        sortOptions = false)
final class TortureCommand implements Callable<Integer> {
    private static final int SHORTEST_SECONDS = 5;
    private static final int LONGEST_SECONDS = 86_400;
    private static final int HIGHEST_SEED = 1_000_000;
    private static final int MOST_RUNS = 1_000;
    private static final int MOST_THREADS = 100;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long each lock is tortured: 5 to 86400, ${DEFAULT-VALUE} unless given.")
    private int seconds;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Repeats the choices of an earlier run, as far as real processes can repeat anything.")
    private @Nullable Long seed;

    @Option(
            names = "--subjects",
            split = ",",
            paramLabel = "SUBJECT",
            converter = Labels.class,
            completionCandidates = Labels.class,
            description = "Only these locks: ${COMPLETION-CANDIDATES}. Without it: all of Hasp's. Peers are taken alone"
                    + " only.")
    private List<TortureTarget> targets =
            Stream.of(TortureTarget.values()).filter(TortureTarget::isHasp).toList();

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "How many threads of each client take locks side by side, from 1 to 100. In an election, each of them is"
                            + " a candidate.")
    private int threads;

    @Option(
            names = "--operator",
            description = "Lets an operator break random locks while the clients work, for Hasp's locks.")
    private boolean operator;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Tortures each lock so often, each time with the next seed, and tells how many runs broke it.")
    private int runs;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Writes there how many runs broke each lock, and how, as JSON (docs/results.md).")
    private @Nullable Path out;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (seconds < SHORTEST_SECONDS || seconds > LONGEST_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--seconds is " + seconds + ", but has to be from " + SHORTEST_SECONDS + " to " + LONGEST_SECONDS);
        }
        if (runs < 1 || runs > MOST_RUNS) {
            throw new ParameterException(
                    spec.commandLine(), "--runs is " + runs + ", but has to be from 1 to " + MOST_RUNS);
        }
        if (threads < 1 || threads > MOST_THREADS) {
            throw new ParameterException(
                    spec.commandLine(), "--threads is " + threads + ", but has to be from 1 to " + MOST_THREADS);
        }
        if (operator && !targets.stream().allMatch(TortureTarget::isHasp)) {
            throw new ParameterException(spec.commandLine(), "--operator is for Hasp's own locks only");
        }
        long chosen = seed == null ? ThreadLocalRandom.current().nextInt(HIGHEST_SEED) : seed;
        try (CtrlC ctrlC = CtrlC.interruptsThisThread()) {
            List<TortureCounts.Count> counts = new ArrayList<>();
            for (TortureTarget target : targets.stream().distinct().sorted().toList()) {
                TortureCounts.Count count = new TortureCounts.Count(target.label(), 0, 0, List.of());
                for (int run = 0; run < runs; run++) {
                    count = count.and(torture(target, chosen + run));
                }
                counts.add(count);
                if (runs > 1) {
                    spec.commandLine().getOut().println(count);
                }
            }
            if (out != null) {
                TortureCounts.of(seconds, chosen, counts).write(out);
            }
            return counts.stream().allMatch(each -> each.broken() == 0) ? 0 : Hasp.FAILED;
        } catch (InterruptedException e) {
            say("hasp: interrupted; all servers and clients are stopped");
            return Hasp.INTERRUPTED;
        }
    }

    private Verdict torture(TortureTarget target, long chosen) throws Exception {
        say("Torturing " + target + " for " + seconds + " s (again with --seed " + chosen + ") ...");
        try (TortureEnvironment environment = target.open()) {
            String uri = target.uri(environment);
            TortureClients.Opener opener = target.byUri()
                    ? name -> ClientJvm.start(
                            name, target.isElection() ? ElectionSubjectFactory.class : HaspSubjectFactory.class, uri)
                    : name -> ClientJvm.start(
                            name,
                            TorturedPeer.class,
                            TorturedPeer.argument(target.label(), environment.silence(), uri));
            if (operator) {
                environment.operated(() -> LockClient.connect(
                        uri, ClientOptions.defaults().label("operator").connect(Connect.LAZY)));
            }
            TortureResult result = environment.threads(threads).torture(chosen, Duration.ofSeconds(seconds), opener);
            spec.commandLine().getOut().println(target + ", " + result.report());
            return result.verdict();
        }
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
    }

    static final class Labels implements ITypeConverter<TortureTarget>, Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(TortureTarget.values()).map(TortureTarget::label).iterator();
        }

        @Override
        public TortureTarget convert(String label) {
            return Stream.of(TortureTarget.values())
                    .filter(each -> each.label().equals(label))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("unknown subject '" + label + "', there are "
                            + String.join(
                                    ", ",
                                    Stream.of(TortureTarget.values())
                                            .map(TortureTarget::label)
                                            .toList())));
        }
    }
}
