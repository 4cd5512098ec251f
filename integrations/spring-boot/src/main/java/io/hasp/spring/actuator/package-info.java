/** Health, and the endpoint of leases. */
@NullMarked
package io.hasp.spring.actuator;

import org.jspecify.annotations.NullMarked;
