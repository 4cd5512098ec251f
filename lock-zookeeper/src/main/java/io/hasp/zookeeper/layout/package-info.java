/** Names and order of nodes: pure functions and values. */
@NullMarked
package io.hasp.zookeeper.layout;

import org.jspecify.annotations.NullMarked;
