/** One leader among several processes, and work that follows it. */
@NullMarked
package io.hasp.examples.leader;

import org.jspecify.annotations.NullMarked;
