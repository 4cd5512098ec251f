/**
 * The script protocol: the Lua scripts, their keys and arguments, and what the server's errors mean. The scripts are resources
 * beside this package, one folder for each primitive; the parts that several scripts share are in {@code include}.
 *
 * <p>Internal: may change in any release.
 */
@NullMarked
package io.hasp.redis.script;

import org.jspecify.annotations.NullMarked;
