package io.hasp.spring.autoconfigure;

import io.hasp.test.TestLocks;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;
import org.springframework.util.ClassUtils;

/**
 * Checks after each test of a class with {@link AutoConfigureTestLocks} that no lock is held, and resets the lock service, which
 * all tests of a context share. Does nothing without the artifact {@code lock-test}.
 */
final class TestLocksListener extends AbstractTestExecutionListener {
    /** After the end of the test's transaction (4000), before the end of a context that is dirty (3000). */
    private static final int ORDER = 3500;

    TestLocksListener() {}

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void afterTestMethod(TestContext test) {
        AutoConfigureTestLocks settings = settings(test.getTestClass());
        if (settings != null
                && test.hasApplicationContext()
                && ClassUtils.isPresent(
                        "io.hasp.test.TestLocks", test.getTestClass().getClassLoader())) {
            boolean checked = settings.nothingHeldAtEnd() && test.getTestException() == null;
            Kit.end(test.getApplicationContext(), checked);
        }
    }

    private static @Nullable AutoConfigureTestLocks settings(Class<?> type) {
        return TestContextAnnotationUtils.findMergedAnnotation(type, AutoConfigureTestLocks.class);
    }

    /** Loaded only if its library is there. */
    private static final class Kit {
        static void end(ApplicationContext context, boolean checked) {
            context.getBeanProvider(TestLocks.class).ifAvailable(locks -> {
                try {
                    if (checked) {
                        locks.assertNothingHeld();
                    }
                } finally {
                    locks.reset();
                }
            });
        }
    }
}
