/**
 * What a thread needs that blocks on a socket: a moment of spinning before it sleeps, platform threads that do
 * the work of virtual ones, and loops that no error breaks off.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.blocking;

import org.jspecify.annotations.NullMarked;
