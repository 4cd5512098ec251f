package io.hasp.spring.autoconfigure;

import io.hasp.spring.connection.ClientOpener;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Gives a test class, such as one with {@code @WebMvcTest}, a {@link io.hasp.LockClient} and {@code @Locked} methods in
 * memory. {@code hasp.uri} is {@code memory://tests}, and the properties of the application's connection ({@code
 * hasp.connection}, {@code hasp.key-prefix}, {@code hasp.command-timeout}) are ignored. Needs the artifact
 * {@code lock-memory}. Clients with names keep their own URIs.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
@TestPropertySource(properties = {"hasp.uri=memory://tests", ClientOpener.IN_TESTS + "=true"})
public @interface AutoConfigureTestLocks {}
