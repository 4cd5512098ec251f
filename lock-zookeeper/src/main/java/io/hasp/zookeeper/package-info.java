/**
 * Locks on ZooKeeper: connected through Apache Curator, with a recipe of their own on the ZooKeeper handle that Curator
 * manages, because it has to give a fencing token, loss events, cancellation and an acquisition in one round trip.
 */
@NullMarked
package io.hasp.zookeeper;

import org.jspecify.annotations.NullMarked;
