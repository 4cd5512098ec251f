/** A program whose only interest is how it is packaged. */
@NullMarked
package io.hasp.packaging;

import org.jspecify.annotations.NullMarked;
