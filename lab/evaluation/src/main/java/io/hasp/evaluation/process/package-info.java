/** Client processes, and the experiments that need them. */
@NullMarked
package io.hasp.evaluation.process;

import org.jspecify.annotations.NullMarked;
