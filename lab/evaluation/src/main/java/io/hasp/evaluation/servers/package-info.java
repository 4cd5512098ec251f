/** The servers that locks are compared on, started here or given by the user: their addresses and their counters. */
@NullMarked
package io.hasp.evaluation.servers;

import org.jspecify.annotations.NullMarked;
