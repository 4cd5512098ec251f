/**
 * Support for threads that block on a socket: a moment of spinning before a thread sleeps, platform threads that work for virtual ones,
 * and loops that no error breaks off.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.blocking;

import org.jspecify.annotations.NullMarked;
