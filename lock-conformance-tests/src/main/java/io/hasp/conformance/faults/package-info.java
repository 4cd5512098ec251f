/** Faults around a lock under test: its servers, its network, its key or node. */
@NullMarked
package io.hasp.conformance.faults;

import org.jspecify.annotations.NullMarked;
