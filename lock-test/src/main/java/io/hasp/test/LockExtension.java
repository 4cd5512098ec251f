package io.hasp.test;

import io.hasp.LockClient;
import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** The extension behind {@link HaspTest}; works with {@code @ExtendWith} as well, and has the defaults of the annotation then. */
public final class LockExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(LockExtension.class);

    /** Creates the extension, for JUnit. */
    public LockExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestLocks.class || type == LockClient.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException(
                    "each test has a lock service of its own: " + parameter.getParameter()
                            + " must be a parameter of a test, @BeforeEach or @AfterEach method, and not of "
                            + parameter.getDeclaringExecutable());
        }
        TestLocks locks =
                store(context).getOrComputeIfAbsent(TestLocks.class, type -> create(context), TestLocks.class);
        return parameter.getParameter().getType() == TestLocks.class ? locks : locks.client();
    }

    private static TestLocks create(ExtensionContext context) {
        boolean virtual = settings(context).map(HaspTest::virtualTime).orElse(false);
        return virtual ? TestLocks.withVirtualTime() : TestLocks.create();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try (TestLocks locks = store(context).remove(TestLocks.class, TestLocks.class)) {
            boolean checked = settings(context).map(HaspTest::nothingHeldAtEnd).orElse(true);
            // A test that failed has a reason already, and often could not reach its releases.
            if (locks != null && checked && context.getExecutionException().isEmpty()) {
                locks.assertNothingHeld();
            }
        }
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(NAMESPACE);
    }

    private static Optional<HaspTest> settings(ExtensionContext context) {
        return annotation(context.getTestMethod().orElse(null))
                .or(() -> ofClass(context.getTestClass().orElse(null)));
    }

    private static Optional<HaspTest> ofClass(@Nullable Class<?> type) {
        Optional<HaspTest> none = Optional.empty();
        return type == null ? none : annotation(type).or(() -> ofClass(type.getEnclosingClass()));
    }

    private static Optional<HaspTest> annotation(@Nullable AnnotatedElement element) {
        return AnnotationSupport.findAnnotation(Optional.ofNullable(element), HaspTest.class);
    }
}
