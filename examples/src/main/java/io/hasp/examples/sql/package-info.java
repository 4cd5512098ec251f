/** A backend of one's own, outside the library: see docs/add-a-backend.md. */
@NullMarked
package io.hasp.examples.sql;

import org.jspecify.annotations.NullMarked;
