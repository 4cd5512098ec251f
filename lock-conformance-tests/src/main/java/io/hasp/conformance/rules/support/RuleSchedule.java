package io.hasp.conformance.rules.support;

import java.lang.reflect.Method;
import java.util.Comparator;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Rules that mostly wait come first and share the machine and its servers; each of the others has both for itself. Nothing is left to
 * do where the test engine runs one test at a time.
 */
final class RuleSchedule implements MethodOrderer, BeforeEachCallback, AfterEachCallback {
    private static final Gate MACHINE = new Gate();
    private static final Gate SERVERS = new Gate();

    private enum Use {
        WAITS,
        DISTURBS,
        ALONE;

        static Use of(Class<?> adopter, Method rule) {
            if (rule.isAnnotationPresent(MostlyWaits.class)) {
                return WAITS;
            }
            if (rule.isAnnotationPresent(DisturbsServer.class)) {
                return adopter.isAnnotationPresent(LendsServers.class) ? WAITS : DISTURBS;
            }
            return ALONE;
        }
    }

    @Override
    public void orderMethods(MethodOrdererContext context) {
        Class<?> adopter = context.getTestClass();
        context.getMethodDescriptors()
                .sort(Comparator.<MethodDescriptor, Use>comparing(rule -> Use.of(adopter, rule.getMethod()))
                        .thenComparing(rule -> rule.getMethod().getName()));
    }

    @Override
    public void beforeEach(ExtensionContext context) throws InterruptedException {
        switch (use(context)) {
            case WAITS -> {
                MACHINE.enter();
                SERVERS.enter();
            }
            case DISTURBS -> {
                MACHINE.enter();
                SERVERS.enterAlone();
            }
            case ALONE -> MACHINE.enterAlone();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        switch (use(context)) {
            case WAITS -> {
                SERVERS.leave();
                MACHINE.leave();
            }
            case DISTURBS -> {
                SERVERS.leaveAlone();
                MACHINE.leave();
            }
            case ALONE -> MACHINE.leaveAlone();
        }
    }

    private static Use use(ExtensionContext context) {
        return Use.of(context.getRequiredTestClass(), context.getRequiredTestMethod());
    }
}
