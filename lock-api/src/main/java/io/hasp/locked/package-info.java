/** Methods that run under a lock: the annotations for users. {@code io.hasp.locked.spi} is for containers. */
@NullMarked
package io.hasp.locked;

import org.jspecify.annotations.NullMarked;
