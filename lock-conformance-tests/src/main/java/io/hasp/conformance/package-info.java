/** The port between the rules and a lock under test. */
@NullMarked
package io.hasp.conformance;

import org.jspecify.annotations.NullMarked;
