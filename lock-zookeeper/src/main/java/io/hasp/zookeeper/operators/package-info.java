/** Shows the locks and the servers to operators. */
@NullMarked
package io.hasp.zookeeper.operators;

import org.jspecify.annotations.NullMarked;
