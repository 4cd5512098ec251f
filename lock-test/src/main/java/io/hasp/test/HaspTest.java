package io.hasp.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives test methods of JUnit 5 and 6 parameters of the types {@link TestLocks} and {@link io.hasp.LockClient}. Each test has a lock
 * service of its own, which {@code @BeforeEach} and {@code @AfterEach} methods share. After the test it is closed, and the test fails if
 * the client under test still holds a lock.
 *
 * <p>On a class for all its tests, nested classes included; on a method for this test. The annotation of the method counts before that of
 * the class.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(LockExtension.class)
public @interface HaspTest {

    /**
     * Returns true for {@linkplain TestLocks#withVirtualTime virtual time}.
     *
     * @return false, the default, for the machine's time
     */
    boolean virtualTime() default false;

    /**
     * Returns true if the test fails when the client under test holds a lock at its end.
     *
     * @return true by default; false for tests that end inside of a lock
     */
    boolean nothingHeldAtEnd() default true;
}
