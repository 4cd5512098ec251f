/** Small runnable programs; each is executed by the tests. */
@NullMarked
package io.hasp.examples;

import org.jspecify.annotations.NullMarked;
