/** Many readers, one writer at a time; a database recognizes late readers and writers by their tokens. */
@NullMarked
package io.hasp.examples.tariff;

import org.jspecify.annotations.NullMarked;
