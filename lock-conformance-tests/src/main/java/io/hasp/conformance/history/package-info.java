/**
 * Histories: the clients of a lock record their own events with times, and checks judge the record. Times are
 * {@link System#nanoTime}, which the processes of one Linux host share, so histories of several JVMs can be merged.
 * Pure code without servers.
 */
@NullMarked
package io.hasp.conformance.history;

import org.jspecify.annotations.NullMarked;
