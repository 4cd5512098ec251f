/**
 * Locks for Spring Integration: {@link io.hasp.spring.integration.HaspLockRegistry} for its generation 7, and
 * {@link io.hasp.spring.integration.HaspLockRegistry6} for 6.5.
 */
@NullMarked
package io.hasp.spring.integration;

import org.jspecify.annotations.NullMarked;
