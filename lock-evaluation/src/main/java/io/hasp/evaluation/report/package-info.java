/** Telling what was measured: progress, tables, files and the page, with what follows from the figures. */
@NullMarked
package io.hasp.evaluation.report;

import org.jspecify.annotations.NullMarked;
