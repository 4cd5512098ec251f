/**
 * Methods that run under a lock: the annotations, for users, and what a container needs to make them work. Guice's and Spring's
 * are there; {@link io.hasp.locked.LockedMethods} is where another one begins.
 */
@NullMarked
package io.hasp.locked;

import org.jspecify.annotations.NullMarked;
