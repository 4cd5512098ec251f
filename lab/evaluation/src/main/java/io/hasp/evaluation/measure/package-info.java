/**
 * Runs the same work on every lock, and computes the figures. Depends on locks only as
 * {@link io.hasp.conformance.LockUser}s, not on servers, command lines or tables.
 */
@NullMarked
package io.hasp.evaluation.measure;

import org.jspecify.annotations.NullMarked;
