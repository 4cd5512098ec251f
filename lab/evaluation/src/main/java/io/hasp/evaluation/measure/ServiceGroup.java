package io.hasp.evaluation.measure;

import io.hasp.evaluation.statistics.Pairing;
import java.util.List;
import java.util.stream.Stream;

/**
 * Subjects on the same servers, so that their figures can be compared.
 *
 * @param title the servers in words
 * @param hasp Hasp's own locks
 * @param peers the locks that people use today
 * @param baselines the least work that can be called a lock
 * @param variants those of Hasp's own locks that are compared with another one of them, each with that one; and those that have a
 *     baseline of their own, each with that one
 */
public record ServiceGroup(
        String title, List<String> hasp, List<String> peers, List<String> baselines, List<Pairing> variants) {

    /**
     * Without variants.
     *
     * @param title the servers in words
     * @param hasp Hasp's own locks
     * @param peers the locks that people use today
     * @param baselines the least work that can be called a lock
     */
    public ServiceGroup(String title, List<String> hasp, List<String> peers, List<String> baselines) {
        this(title, hasp, peers, baselines, List.of());
    }

    /**
     * Returns the members of the group.
     *
     * @return all subjects
     */
    public List<String> subjects() {
        return Stream.of(hasp, peers, baselines).flatMap(List::stream).toList();
    }

    /**
     * Returns all references of a subject.
     *
     * @param subject one of {@link #subjects}
     * @return the lock that it is a variant of, the peers, and its own baseline or else the common ones; never the
     *     subject itself
     */
    public List<String> references(String subject) {
        List<String> own = variants.stream()
                .filter(variant -> variant.subject().equals(subject))
                .map(Pairing::reference)
                .toList();
        return Stream.of(own.stream().filter(each -> !baselines.contains(each)), peers.stream(), baselines(own))
                .flatMap(each -> each)
                .filter(reference -> !reference.equals(subject))
                .toList();
    }

    private Stream<String> baselines(List<String> own) {
        return own.stream().anyMatch(baselines::contains)
                ? own.stream().filter(baselines::contains)
                : baselines.stream().filter(each -> !isOwn(each));
    }

    /**
     * Returns true if a baseline belongs to certain subjects.
     *
     * @param baseline one of the baselines
     * @return false if it is the baseline of all other subjects
     */
    public boolean isOwn(String baseline) {
        return variants.stream().anyMatch(variant -> variant.reference().equals(baseline));
    }

    /**
     * Returns true if something is a reference at some work. A baseline does not queue, so it is none if threads
     * contend for one lock.
     *
     * @param reference one of {@link #references}
     * @param workload the work
     * @return false if no figures are compared with its own
     */
    public boolean isReference(String reference, Workload workload) {
        return !(workload.experiment().oneName() && baselines.contains(reference));
    }

    /**
     * Returns all pairs that are compared.
     *
     * @return each subject with each of its references
     */
    public List<Pairing> pairings() {
        return subjects().stream()
                .flatMap(subject -> references(subject).stream().map(reference -> new Pairing(subject, reference)))
                .toList();
    }
}
