/** What can be broken around a lock: its servers, its network, its key or node. */
@NullMarked
package io.hasp.conformance.faults;

import org.jspecify.annotations.NullMarked;
