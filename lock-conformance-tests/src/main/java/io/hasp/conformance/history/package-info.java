/**
 * Histories: what clients of a lock saw and when, written down by themselves, and the checks that judge it. Times are
 * {@link System#nanoTime}, which the processes of one Linux host share, so histories of several JVMs can be merged.
 * Pure code: nothing here knows a server.
 */
@NullMarked
package io.hasp.conformance.history;

import org.jspecify.annotations.NullMarked;
