/** Telling what was measured: progress, tables and files. Decides nothing. */
@NullMarked
package io.hasp.evaluation.report;

import org.jspecify.annotations.NullMarked;
