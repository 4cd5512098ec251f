package io.hasp.evaluation.statistics;

import java.util.List;

/** R. Jain, D. Chiu, W. Hawe, <em>A Quantitative Measure of Fairness and Discrimination</em>, 1984. */
public final class FairnessIndex {
    private FairnessIndex() {}

    /** 1 if all shares are equal, 1/n if one of n has everything; 0 if all shares are zero. */
    public static double jain(List<Long> shares) {
        double sum = shares.stream().mapToDouble(Long::doubleValue).sum();
        double squares =
                shares.stream().mapToDouble(share -> (double) share * share).sum();
        return squares == 0 ? 0 : sum * sum / (shares.size() * squares);
    }
}
