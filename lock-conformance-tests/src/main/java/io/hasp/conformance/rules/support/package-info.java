/** Servers, schedules, reports and client programs that the rules share. */
@NullMarked
package io.hasp.conformance.rules.support;

import org.jspecify.annotations.NullMarked;
