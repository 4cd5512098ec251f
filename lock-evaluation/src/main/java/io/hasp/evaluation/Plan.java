package io.hasp.evaluation;

import io.hasp.evaluation.measure.ComparisonTier;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import io.hasp.evaluation.measure.ServiceGroup;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Backend;
import io.hasp.evaluation.servers.Servers;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.Subject;
import io.hasp.evaluation.subject.Subject.Role;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/**
 * What a comparison does: the options of the command line, checked against each other.
 *
 * @param workloads the work
 * @param subjects who does it
 * @param leftOut which experiments were left out and why, in words
 */
record Plan(List<Workload> workloads, List<Subject> subjects, Optional<String> leftOut) {

    static Plan of(
            ComparisonTier tier,
            @Nullable List<Experiment> only,
            @Nullable List<Subject> chosen,
            List<Backend> backends,
            Function<String, ParameterException> wrong) {
        Set<Service> given = EnumSet.noneOf(Service.class);
        for (Backend backend : backends) {
            if (!given.add(backend.service())) {
                throw wrong.apply(
                        "more than one --backend is " + backend.service().scheme() + "://");
            }
        }
        if (backends.isEmpty()) {
            given = EnumSet.allOf(Service.class);
        } else {
            refuseFaults(only, wrong);
            refuseOthers(chosen, given, wrong);
        }
        Set<Service> services = given;
        List<Experiment> wanted = only != null ? only : usual(tier).toList();
        List<Experiment> experiments = Experiments.ALL.stream()
                .filter(wanted::contains)
                .filter(experiment -> backends.isEmpty() || !experiment.breaksServers())
                .toList();
        List<Subject> subjects = on(services, chosen != null ? chosen.stream() : Subject.usual(tier));
        if (subjects.isEmpty()) {
            // A quick comparison has no lock of some services.
            subjects = on(services, Subject.usual(ComparisonTier.USUAL));
        }
        boolean less = usual(tier).anyMatch(Experiment::breaksServers) && only == null && !backends.isEmpty();
        return new Plan(
                experiments.stream()
                        .flatMap(experiment -> experiment.workloads(tier).stream())
                        .toList(),
                subjects,
                less ? Optional.of("Left out, because they break servers: " + breaking()) : Optional.empty());
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

    private static void refuseFaults(@Nullable List<Experiment> only, Function<String, ParameterException> wrong) {
        for (Experiment experiment : only == null ? List.<Experiment>of() : only) {
            if (experiment.breaksServers()) {
                throw wrong.apply("--only " + experiment.name()
                        + " breaks the servers that it measures, which is never done to those of --backend");
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

    /** The services it runs on. */
    Set<Service> services() {
        EnumSet<Service> services = EnumSet.noneOf(Service.class);
        subjects.forEach(subject -> services.add(subject.service()));
        return services;
    }

    /** The names of the subjects, in the order in which they are reported. */
    List<String> labels() {
        return subjects.stream().map(Subject::label).toList();
    }

    /** The subjects of each service, which are compared with each other. */
    List<ServiceGroup> groups(Servers servers) {
        return services().stream()
                .map(service -> new ServiceGroup(
                        servers.words(service),
                        labels(service, Role.HASP),
                        labels(service, Role.PEER),
                        labels(service, Role.BASELINE)))
                .toList();
    }

    private List<String> labels(Service service, Role role) {
        return subjects.stream()
                .filter(each -> each.service() == service && each.role() == role)
                .map(Subject::label)
                .toList();
    }

    /** How many client processes all subjects share. */
    int processes() {
        return workloads.stream()
                .filter(workload -> workload.experiment().oneName())
                .mapToInt(Workload::processes)
                .filter(processes -> processes > 1)
                .max()
                .orElse(0);
    }
}
