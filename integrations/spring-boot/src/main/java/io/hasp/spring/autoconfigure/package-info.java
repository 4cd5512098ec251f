/** The auto-configurations, and the annotations of tests. */
@NullMarked
package io.hasp.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
