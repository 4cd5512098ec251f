/**
 * A lock service in this JVM: the reference of the backend contract, and a service for tests whose faults can be
 * scripted. It excludes no client outside the JVM.
 */
@NullMarked
package io.hasp.memory;

import org.jspecify.annotations.NullMarked;
