/** The locks that are compared, each set up as its documentation recommends, and the servers they need. */
@NullMarked
package io.hasp.evaluation.subject;

import org.jspecify.annotations.NullMarked;
