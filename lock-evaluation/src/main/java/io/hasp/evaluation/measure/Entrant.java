package io.hasp.evaluation.measure;

import io.hasp.conformance.LockUser;

/**
 * A lock that takes part, connected and ready.
 *
 * @param subject its name in the results
 * @param user the client that all threads of a process share
 */
public record Entrant(String subject, LockUser user) {}
