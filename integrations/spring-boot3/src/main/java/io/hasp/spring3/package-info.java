/** The parts for Spring Boot 3 only. */
@NullMarked
package io.hasp.spring3;

import org.jspecify.annotations.NullMarked;
