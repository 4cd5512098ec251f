/** The messages between the clients and the server, and the faults of those messages. */
@NullMarked
package io.hasp.simulator.network;

import org.jspecify.annotations.NullMarked;
