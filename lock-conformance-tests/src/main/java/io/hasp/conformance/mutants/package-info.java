/** Mutants: faults that are planted in Hasp's source, which a test must find. */
@NullMarked
package io.hasp.conformance.mutants;

import org.jspecify.annotations.NullMarked;
