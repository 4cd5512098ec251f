/**
 * A lock service in this JVM: the reference of the backend contract, and a partner for tests whose faults can be scripted.
 * It excludes nobody outside the JVM.
 */
@NullMarked
package io.hasp.memory;

import org.jspecify.annotations.NullMarked;
