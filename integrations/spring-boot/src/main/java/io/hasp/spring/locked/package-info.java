/** The interceptor of {@code @Locked} methods. */
@NullMarked
package io.hasp.spring.locked;

import org.jspecify.annotations.NullMarked;
