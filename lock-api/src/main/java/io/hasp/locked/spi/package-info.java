/**
 * Locks methods in containers that run {@link io.hasp.locked.Locked} methods, as Guice's and Spring's modules do;
 * {@link io.hasp.locked.spi.LockedMethods} is the entry. Programs do not need it.
 */
@NullMarked
package io.hasp.locked.spi;

import org.jspecify.annotations.NullMarked;
