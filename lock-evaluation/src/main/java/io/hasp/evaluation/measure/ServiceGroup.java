package io.hasp.evaluation.measure;

import java.util.List;
import java.util.stream.Stream;

/**
 * Subjects on the same servers, so that their figures can be compared.
 *
 * @param title the servers in words
 * @param hasp Hasp's own locks
 * @param peers the locks that people use today
 * @param baselines the least work that can be called a lock
 */
public record ServiceGroup(String title, List<String> hasp, List<String> peers, List<String> baselines) {

    /**
     * Who belongs to it.
     *
     * @return all subjects
     */
    public List<String> subjects() {
        return Stream.of(hasp, peers, baselines).flatMap(List::stream).toList();
    }

    /**
     * What the subjects are compared with at some work. A baseline does not queue, so it is no reference where one lock
     * is contended.
     *
     * @param workload the work
     * @return those of the subjects that are references
     */
    public List<String> references(Workload workload) {
        return workload.experiment().oneName()
                ? peers
                : Stream.concat(peers.stream(), baselines.stream()).toList();
    }

    /**
     * Who is compared with whom.
     *
     * @return each subject with each peer and baseline but itself
     */
    public List<Pairing> pairings() {
        return subjects().stream()
                .flatMap(subject -> Stream.concat(peers.stream(), baselines.stream())
                        .filter(reference -> !reference.equals(subject))
                        .map(reference -> new Pairing(subject, reference)))
                .toList();
    }
}
