package io.hasp.evaluation;

import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Backend;
import io.hasp.evaluation.servers.Distance;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.RedisTopology;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.statistics.Pairing;
import io.hasp.evaluation.subject.JarSubject;
import io.hasp.evaluation.subject.Participant;
import io.hasp.evaluation.subject.Subject;
import io.hasp.evaluation.subject.Subject.Role;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/**
 * The plan of a comparison: the options of the command line, checked against each other.
 *
 * @param workloads the work
 * @param subjects the locks that take part
 * @param chosen true if the user chose the subjects, so that each does all of the work
 * @param pictured the subjects that only do the work for the picture of all locks
 * @param distance the servers' distance in the beginning
 * @param leftOut the experiments that were left out, with the reasons in words
 */
record Plan(
        List<Workload> workloads,
        List<Participant> subjects,
        boolean chosen,
        Set<Participant> pictured,
        Distance distance,
        Optional<String> leftOut) {

    static Plan of(
            ComparisonTier tier,
            @Nullable List<Experiment> only,
            @Nullable List<Subject> chosen,
            List<JarSubject> fromJars,
            List<Backend> backends,
            RedisTopology topology,
            List<Distance> distances,
            Function<String, ParameterException> wrong) {
        Set<Service> given = EnumSet.noneOf(Service.class);
        for (Backend backend : backends) {
            if (!given.add(backend.service())) {
                throw wrong.apply(
                        "more than one --backend is " + backend.service().scheme() + "://");
            }
        }
        boolean far = !distances.isEmpty();
        if (far && !backends.isEmpty()) {
            throw wrong.apply("--rtt is for servers that are started here, and --backend names others");
        }
        refuseTopology(topology, only, chosen, !backends.isEmpty(), far, wrong);
        if (backends.isEmpty()) {
            given = EnumSet.allOf(Service.class);
            if (far) {
                refuseFaults(only, "starts servers of its own, which --rtt does not reach", wrong);
            }
        } else {
            refuseFaults(only, "breaks the servers that it measures, which is never done to those of --backend", wrong);
            refuseOthers(chosen, given, wrong);
        }
        Set<Service> services = given;
        boolean mayBreak = backends.isEmpty() && !far;
        List<Experiment> wanted = only != null ? only : usual(tier).toList();
        List<Experiment> experiments = Experiments.ALL.stream()
                .filter(wanted::contains)
                .filter(experiment -> mayBreak || !experiment.breaksServers())
                .filter(experiment -> !isAboutOneMaster(topology, experiment))
                .toList();
        List<Subject> all = chosen != null ? on(services, chosen.stream()) : usual(services, tier, experiments);
        List<Participant> subjects = Stream.<Participant>concat(
                        all.stream().filter(each -> each.obstacle(topology).isEmpty()),
                        fromJars.stream().filter(each -> services.contains(each.service())))
                .toList();
        List<Workload> workloads = experiments.stream()
                .flatMap(experiment -> experiment.workloads(tier).stream())
                .toList();
        boolean less = usual(tier).anyMatch(Experiment::breaksServers) && only == null && !mayBreak;
        return new Plan(
                far ? farther(distances, workloads) : workloads,
                subjects,
                chosen != null,
                chosen == null ? pictured(tier, subjects) : Set.of(),
                far ? distances.get(0) : Distance.NONE,
                leftOut(less ? Stream.of(why(far)) : Stream.empty(), topology, all));
    }

    /** The same, but {@code held} has one workload with this number of locks. */
    Plan holding(int locks, Function<String, ParameterException> wrong) {
        if (workloads.stream().noneMatch(work -> work.experiment() == Experiments.HELD)) {
            throw wrong.apply("--locks is the number of locks of the experiment held, which does not take part");
        }
        List<Workload> others = workloads.stream()
                .map(work -> work.experiment() == Experiments.HELD ? Workload.holding(Experiments.HELD, locks) : work)
                .distinct()
                .toList();
        return new Plan(others, subjects, chosen, pictured, distance, leftOut);
    }

    /**
     * The same without the locks of a service.
     *
     * @param why in words, for the user
     */
    Plan without(Service service, String why) {
        List<Participant> others =
                subjects.stream().filter(each -> each.service() != service).toList();
        String words = "Left out: " + String.join(", ", labels(service)) + ": no " + service.title()
                + " can be started here: " + why;
        return new Plan(
                workloads,
                others,
                chosen,
                pictured,
                distance,
                Optional.of(leftOut.map(before -> before + System.lineSeparator() + words)
                        .orElse(words)));
    }

    private List<String> labels(Service service) {
        return subjects.stream()
                .filter(each -> each.service() == service)
                .map(Participant::label)
                .toList();
    }

    private static Optional<String> leftOut(Stream<String> experiments, RedisTopology topology, List<Subject> all) {
        Stream<String> locks = all.stream()
                .flatMap(each -> each.obstacle(topology).stream().map(why -> "Left out: " + each.label() + ": " + why));
        return Stream.concat(experiments.map(why -> "Left out, because they " + why + ": " + breaking()), locks)
                .reduce((one, other) -> one + System.lineSeparator() + other);
    }

    /** The failover kills the one master that has all locks. */
    private static boolean isAboutOneMaster(RedisTopology topology, Experiment experiment) {
        return topology == RedisTopology.CLUSTER && experiment == Experiments.FAILOVER;
    }

    private static void refuseTopology(
            RedisTopology topology,
            @Nullable List<Experiment> only,
            @Nullable List<Subject> chosen,
            boolean given,
            boolean far,
            Function<String, ParameterException> wrong) {
        if (topology == RedisTopology.STANDALONE) {
            return;
        }
        if (given) {
            throw wrong.apply("--servers is for servers that are started here, and --backend names others");
        }
        if (far) {
            throw wrong.apply("--rtt is for servers at fixed addresses; with --servers " + topology
                    + " the servers themselves tell theirs");
        }
        if (only != null && only.stream().allMatch(each -> isAboutOneMaster(topology, each))) {
            throw wrong.apply("--only failover kills the master that has all locks, and a cluster has several");
        }
        if (chosen != null
                && chosen.stream().allMatch(each -> each.obstacle(topology).isPresent())) {
            throw wrong.apply("--servers " + topology + " has none of these locks: "
                    + chosen.stream()
                            .map(each -> each.label() + ": "
                                    + each.obstacle(topology).orElseThrow())
                            .collect(Collectors.joining("; ")));
        }
    }

    /** Trials that start servers of their own are not moved. Work of several sizes has one distance, since its size tells results apart. */
    private static List<Workload> farther(List<Distance> distances, List<Workload> workloads) {
        return workloads.stream()
                .flatMap(work -> work.experiment().isTrial() || work.at() > 0
                        ? Stream.of(work)
                        : distances.stream().distinct().map(each -> work.farther(each.roundTripMillis())))
                .toList();
    }

    private static String why(boolean far) {
        return far ? "start servers of their own" : "break servers";
    }

    /** A quick comparison has no lock of some services. */
    private static List<Subject> usual(Set<Service> services, ComparisonTier tier, List<Experiment> experiments) {
        boolean any = Subject.usual(tier).anyMatch(subject -> services.contains(subject.service()));
        Stream<Subject> usual = Subject.usual(any ? tier : ComparisonTier.FULL);
        Stream<Subject> keeping =
                experiments.stream().anyMatch(Experiment::isAboutReuse) ? Subject.keeping() : Stream.empty();
        Stream<Subject> pictured =
                experiments.contains(Experiments.UNCONTENDED) ? Subject.pictured(tier) : Stream.empty();
        return on(services, Stream.of(usual, keeping, pictured).flatMap(each -> each));
    }

    /** A service that has no other lock is measured whole. */
    private static Set<Participant> pictured(ComparisonTier tier, List<Participant> subjects) {
        boolean others = subjects.stream().anyMatch(each -> Subject.usual(tier).anyMatch(each::equals));
        return others ? Subject.pictured(tier).collect(Collectors.toSet()) : Set.of();
    }

    private static List<Subject> on(Set<Service> services, Stream<Subject> subjects) {
        return subjects.filter(subject -> services.contains(subject.service()))
                .distinct()
                .sorted()
                .toList();
    }

    private static Stream<Experiment> usual(ComparisonTier tier) {
        return Experiments.ALL.stream().filter(experiment -> experiment.belongsTo(tier));
    }

    private static String breaking() {
        return Experiments.ALL.stream()
                .filter(Experiment::breaksServers)
                .map(Experiment::name)
                .collect(Collectors.joining(", "));
    }

    private static void refuseFaults(
            @Nullable List<Experiment> only, String why, Function<String, ParameterException> wrong) {
        for (Experiment experiment : only == null ? List.<Experiment>of() : only) {
            if (experiment.breaksServers()) {
                throw wrong.apply("--only " + experiment.name() + " " + why);
            }
        }
    }

    private static void refuseOthers(
            @Nullable List<Subject> chosen, Set<Service> given, Function<String, ParameterException> wrong) {
        for (Subject subject : chosen == null ? List.<Subject>of() : chosen) {
            if (!given.contains(subject.service())) {
                throw wrong.apply("--subjects " + subject.label() + " needs a --backend "
                        + subject.service().scheme() + "://");
            }
        }
    }

    /**
     * Selects the experiments of a subject. A subject that the user chose does all it can; every other subject has its
     * own selection.
     */
    Predicate<Experiment> does(Participant subject) {
        return experiment -> (subject.waits() || !experiment.makesWait())
                && (chosen || subject.isAsked(experiment))
                && (!pictured.contains(subject) || experiment == Experiments.UNCONTENDED);
    }

    /**
     * The locks that do none of the work: it waits and they don't, or it needs something that they don't claim.
     *
     * @param environment where their servers are
     * @return their names
     */
    List<String> idle(Environment environment) {
        return subjects.stream()
                .filter(each -> {
                    Set<Claimed> claims = each.in(environment).claims();
                    Predicate<Experiment> does = does(each);
                    return workloads.stream()
                            .map(Workload::experiment)
                            .noneMatch(one -> does.test(one)
                                    && one.needs().map(claims::contains).orElse(true));
                })
                .map(Participant::label)
                .toList();
    }

    /** The names of the experiments. */
    String experiments() {
        return workloads.stream()
                .map(each -> each.experiment().name())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** The services it runs on. */
    Set<Service> services() {
        EnumSet<Service> services = EnumSet.noneOf(Service.class);
        subjects.forEach(subject -> services.add(subject.service()));
        return services;
    }

    /** The names of the subjects, in the order in which they are reported. */
    List<String> labels() {
        return subjects.stream().map(Participant::label).toList();
    }

    /** By what client processes find them. */
    List<String> references() {
        return subjects.stream().map(Participant::reference).toList();
    }

    /** The subjects of each service, which are compared with each other. */
    List<ServiceGroup> groups(Servers servers) {
        return services().stream()
                .map(service -> new ServiceGroup(
                        servers.words(service),
                        labels(service, Role.HASP),
                        labels(service, Role.PEER),
                        labels(service, Role.BASELINE),
                        variants(service)))
                .toList();
    }

    private List<Pairing> variants(Service service) {
        return subjects.stream()
                .filter(each -> each.service() == service)
                .flatMap(each -> Stream.<Optional<? extends Participant>>of(each.plain(), each.clientBaseline())
                        .flatMap(Optional::stream)
                        .filter(subjects::contains)
                        .map(reference -> new Pairing(each.label(), reference.label())))
                .toList();
    }

    private List<String> labels(Service service, Role role) {
        return subjects.stream()
                .filter(each -> each.service() == service && each.role() == role)
                .map(Participant::label)
                .toList();
    }

    /** Returns the number of client processes that all subjects share. */
    int processes() {
        return workloads.stream()
                .filter(workload -> !workload.experiment().isTrial())
                .mapToInt(Workload::processes)
                .filter(processes -> processes > 1)
                .max()
                .orElse(0);
    }
}
