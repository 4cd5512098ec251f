/**
 * The rules, in groups: interfaces whose default methods are tests. Start at {@link io.hasp.conformance.rules.LockConformance}.
 */
@NullMarked
package io.hasp.conformance.rules;

import org.jspecify.annotations.NullMarked;
