/**
 * Running the same work on every lock, and the arithmetic of it. Knows locks only as
 * {@link io.hasp.conformance.LockUser}s, and nothing of servers, command lines or tables.
 */
@NullMarked
package io.hasp.evaluation.measure;

import org.jspecify.annotations.NullMarked;
