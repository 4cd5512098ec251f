/** A session, its deadline, its connection, and the failures of its requests. */
@NullMarked
package io.hasp.zookeeper.session;

import org.jspecify.annotations.NullMarked;
