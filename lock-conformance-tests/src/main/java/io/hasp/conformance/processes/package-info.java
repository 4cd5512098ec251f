/**
 * Clients in JVMs of their own, which a test can pause and kill, and whose histories it collects. Nothing of them outlives
 * the JVM that started them.
 */
@NullMarked
package io.hasp.conformance.processes;

import org.jspecify.annotations.NullMarked;
