/** Long work that stops when its lease is lost. */
@NullMarked
package io.hasp.examples.job;

import org.jspecify.annotations.NullMarked;
