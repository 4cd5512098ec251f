/**
 * Real servers for tests and measurements: child processes on free loopback ports, each in a temporary folder. Neither
 * processes nor folders outlive the JVM that started them, even if that JVM is killed.
 */
@NullMarked
package io.hasp.conformance.servers;

import org.jspecify.annotations.NullMarked;
