package io.hasp.conformance.rules;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.MethodDescriptor;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.MethodOrdererContext;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** Rules that mostly wait come first and share the machine and its servers; each of the others has both for itself. */
final class RuleSchedule implements ResourceLocksProvider, MethodOrderer {
    private static final String MACHINE = "the machine";
    private static final String SERVERS = "the servers of an adopter";

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
    public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> adopter, Method rule) {
        return switch (Use.of(adopter, rule)) {
            case WAITS -> locks(ResourceAccessMode.READ, ResourceAccessMode.READ);
            case DISTURBS -> locks(ResourceAccessMode.READ, ResourceAccessMode.READ_WRITE);
            case ALONE -> locks(ResourceAccessMode.READ_WRITE, ResourceAccessMode.READ_WRITE);
        };
    }

    private static Set<Lock> locks(ResourceAccessMode machine, ResourceAccessMode servers) {
        return Set.of(new Lock(MACHINE, machine), new Lock(SERVERS, servers));
    }

    @Override
    public void orderMethods(MethodOrdererContext context) {
        Class<?> adopter = context.getTestClass();
        context.getMethodDescriptors()
                .sort(Comparator.<MethodDescriptor, Use>comparing(rule -> Use.of(adopter, rule.getMethod()))
                        .thenComparing(rule -> rule.getMethod().getName()));
    }
}
