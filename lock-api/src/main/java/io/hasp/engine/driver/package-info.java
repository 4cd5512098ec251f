/** Threads and requests: applies events to a machine and starts its effects. Uses {@code machine}, {@code guard}, {@code lease} and {@code threads}. */
@NullMarked
package io.hasp.engine.driver;

import org.jspecify.annotations.NullMarked;
