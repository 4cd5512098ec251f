/**
 * Real servers for tests and measurements: child processes on free loopback ports, each in a temporary folder. Nothing
 * of them outlives the JVM that started them, not even when that JVM is killed.
 */
@NullMarked
package io.hasp.conformance.servers;

import org.jspecify.annotations.NullMarked;
