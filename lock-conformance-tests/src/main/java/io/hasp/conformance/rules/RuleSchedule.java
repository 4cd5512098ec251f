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

/** Rules that {@link MostlyWaits} come first and share the machine; each of the others has it for itself. */
final class RuleSchedule implements ResourceLocksProvider, MethodOrderer {
    private static final String MACHINE = "the machine and the servers of an adopter";

    @Override
    public Set<Lock> provideForMethod(List<Class<?>> enclosing, Class<?> adopter, Method rule) {
        boolean waits = rule.isAnnotationPresent(MostlyWaits.class);
        return Set.of(new Lock(MACHINE, waits ? ResourceAccessMode.READ : ResourceAccessMode.READ_WRITE));
    }

    @Override
    public void orderMethods(MethodOrdererContext context) {
        context.getMethodDescriptors()
                .sort(Comparator.<MethodDescriptor, Boolean>comparing(rule -> !rule.isAnnotated(MostlyWaits.class))
                        .thenComparing(rule -> rule.getMethod().getName()));
    }
}
