/**
 * Clients in separate JVMs, which a test can pause and kill, and whose histories it collects. Neither processes nor
 * files outlive the JVM that started them.
 */
@NullMarked
package io.hasp.conformance.processes;

import org.jspecify.annotations.NullMarked;
