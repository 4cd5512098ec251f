package io.hasp.evaluation.measure;

/**
 * A subject that could not be measured to the end in one workload.
 *
 * @param experiment the question
 * @param subject the lock
 * @param holdMs how long each hold was to last
 * @param why what it threw, in words
 */
public record Failure(String experiment, String subject, long holdMs, String why) {}
