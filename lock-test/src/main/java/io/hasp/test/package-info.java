/**
 * Tests of code that uses locks: {@link io.hasp.test.TestLocks} makes a lock busy, loses a lease, stops the service, and records
 * each request. {@link io.hasp.test.HaspTest} does this in JUnit 5 and 6.
 */
@NullMarked
package io.hasp.test;

import org.jspecify.annotations.NullMarked;
