/** Clients in processes of their own: the work of a comparison that one process can't show. */
@NullMarked
package io.hasp.evaluation.process;

import org.jspecify.annotations.NullMarked;
