/** The readers of one client share a node. */
@NullMarked
package io.hasp.zookeeper.readers;

import org.jspecify.annotations.NullMarked;
