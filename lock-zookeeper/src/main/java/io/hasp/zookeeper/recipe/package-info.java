/** The lock recipe: nodes of holders and waiters, and the watches between them. */
@NullMarked
package io.hasp.zookeeper.recipe;

import org.jspecify.annotations.NullMarked;
