/** The threads, executors and timers of one client, and the end of a client after an error. */
@NullMarked
package io.hasp.engine.threads;

import org.jspecify.annotations.NullMarked;
