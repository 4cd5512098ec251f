/** Lock clients and locked methods in Spring Boot. */
@NullMarked
package io.hasp.spring;

import org.jspecify.annotations.NullMarked;
