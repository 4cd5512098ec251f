/** The servers that locks are compared on: started for it or given, where they are, what they count, and how to visit them. */
@NullMarked
package io.hasp.evaluation.servers;

import org.jspecify.annotations.NullMarked;
