/** One lease: its terms, its life, its renewal, and its observers. */
@NullMarked
package io.hasp.engine.lease;

import org.jspecify.annotations.NullMarked;
