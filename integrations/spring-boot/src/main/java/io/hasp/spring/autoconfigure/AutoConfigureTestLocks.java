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
 * memory. With the artifact {@code lock-test} there is a bean {@code io.hasp.test.TestLocks}, too: it makes locks busy, loses
 * leases, stops the service, and records all requests of the application's client. After each test method it is reset, and
 * the test fails if the application still holds a lock. For virtual time, define this bean by
 * {@code TestLocks.withVirtualTime()}.
 *
 * <p>With the artifact {@code lock-memory} alone, {@code hasp.uri} is {@code memory://tests}. The properties of the
 * application's connection ({@code hasp.connection}, {@code hasp.key-prefix}, {@code hasp.command-timeout}) are ignored. Clients
 * with names keep their own URIs.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration({TestLocksAutoConfiguration.class, HaspAutoConfiguration.class, LockedAutoConfiguration.class})
@TestPropertySource(properties = {"hasp.uri=memory://tests", ClientOpener.IN_TESTS + "=true"})
public @interface AutoConfigureTestLocks {

    /**
     * Returns true if a test fails when the application holds a lock at its end.
     *
     * @return true by default; false for applications that hold locks all the time
     */
    boolean nothingHeldAtEnd() default true;
}
