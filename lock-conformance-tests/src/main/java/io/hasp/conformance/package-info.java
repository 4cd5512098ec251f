/** The port between the conformance rules and a lock under test. */
@NullMarked
package io.hasp.conformance;

import org.jspecify.annotations.NullMarked;
