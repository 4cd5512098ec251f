/**
 * Torture: a random mix of operations and faults, all drawn from one seed, on a lock under test, judged by its history.
 */
@NullMarked
package io.hasp.conformance.torture;

import org.jspecify.annotations.NullMarked;
