/** Workers in several processes count together, and one is killed. */
@NullMarked
package io.hasp.examples.counter;

import org.jspecify.annotations.NullMarked;
