/** What only Spring Boot 3 has. */
@NullMarked
package io.hasp.spring3;

import org.jspecify.annotations.NullMarked;
