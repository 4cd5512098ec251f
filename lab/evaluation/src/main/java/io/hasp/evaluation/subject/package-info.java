/** The locks that are compared, each set up as its documentation recommends. */
@NullMarked
package io.hasp.evaluation.subject;

import org.jspecify.annotations.NullMarked;
