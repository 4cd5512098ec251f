/** A backend as the engine sees it: checked answers, and a record of outages. */
@NullMarked
package io.hasp.engine.guard;

import org.jspecify.annotations.NullMarked;
