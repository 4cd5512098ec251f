/** The state of one lock name in one client, and the steps that change it. Pure: no thread, clock or I/O. */
@NullMarked
package io.hasp.engine.machine;

import org.jspecify.annotations.NullMarked;
