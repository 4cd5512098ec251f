package io.hasp.evaluation.statistics;

/**
 * Two subjects whose figures are divided, round by round.
 *
 * @param subject the numerator
 * @param reference the denominator
 */
public record Pairing(String subject, String reference) {}
