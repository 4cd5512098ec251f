package io.hasp.evaluation.statistics;

/**
 * Two subjects whose figures are divided, round by round.
 *
 * @param subject whose advantage is asked
 * @param reference what it is compared with
 */
public record Pairing(String subject, String reference) {}
