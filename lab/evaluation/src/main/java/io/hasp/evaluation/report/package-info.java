/** Reports: progress, tables, files and the page, with the advice that follows from the figures. */
@NullMarked
package io.hasp.evaluation.report;

import org.jspecify.annotations.NullMarked;
