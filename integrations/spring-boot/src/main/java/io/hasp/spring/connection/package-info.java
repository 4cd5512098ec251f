/** Connections of the application that a client may use, and how a client is opened. */
@NullMarked
package io.hasp.spring.connection;

import org.jspecify.annotations.NullMarked;
