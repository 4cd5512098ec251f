package io.hasp.evaluation.statistics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Orders in which each of several subjects comes at each place equally often, and right after each other one equally often.
 *
 * @see <a href="https://doi.org/10.1071/CH9490149">E. J. Williams, Experimental designs balanced for the estimation of residual
 *     effects of treatments, 1949</a>
 */
public final class WilliamsSquare {
    private WilliamsSquare() {}

    /**
     * The orders.
     *
     * @param size how many subjects, at least one
     * @return as many orders as subjects, twice as many if their number is odd; each has all numbers below the size
     */
    public static List<List<Integer>> orders(int size) {
        List<Integer> first = zigzag(size);
        List<List<Integer>> orders = new ArrayList<>();
        for (int shift = 0; shift < size; shift++) {
            int by = shift;
            orders.add(first.stream().map(each -> (each + by) % size).toList());
        }
        if (size % 2 == 1) {
            for (int shift = 0; shift < size; shift++) {
                List<Integer> backward = new ArrayList<>(orders.get(shift));
                Collections.reverse(backward);
                orders.add(List.copyOf(backward));
            }
        }
        return orders;
    }

    /** 0, 1, n−1, 2, n−2, …: the steps between neighbours are all different. */
    private static List<Integer> zigzag(int size) {
        List<Integer> numbers = new ArrayList<>();
        for (int place = 0; place < size; place++) {
            numbers.add(place % 2 == 1 ? place / 2 + 1 : (size - place / 2) % size);
        }
        return numbers;
    }
}
