/** Many read what one writes at a time; a database tells late readers and writers by their tokens. */
@NullMarked
package io.hasp.examples.tariff;

import org.jspecify.annotations.NullMarked;
