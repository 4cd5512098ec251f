package io.hasp.spring.locked;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * The methods that Spring calls on the object itself, before its proxy exists or past it, at the bean's begin and end.
 */
final class CallbacksOfSpring {
    /** By name, because the classes may be absent. */
    private static final Set<String> ANNOTATIONS = Set.of(
            "jakarta.annotation.PostConstruct",
            "jakarta.annotation.PreDestroy",
            "javax.annotation.PostConstruct",
            "javax.annotation.PreDestroy");

    private CallbacksOfSpring() {}

    static void refuse(Method method, Class<?> type, RootBeanDefinition definition) {
        if (isCallback(method, definition) || isInferred(method, type, definition)) {
            throw LockedBeans.refused(
                    method,
                    "Spring calls it on the object itself when the bean begins or ends, so the lock would not be taken;"
                            + " lock a method that an ApplicationRunner calls, or a method of another bean",
                    null);
        }
    }

    private static boolean isCallback(Method method, RootBeanDefinition definition) {
        if (method.getParameterCount() > 0) {
            return false;
        }
        return Stream.of(method.getAnnotations())
                        .map(Annotation::annotationType)
                        .anyMatch(type -> ANNOTATIONS.contains(type.getName()))
                || is(method, "afterPropertiesSet", InitializingBean.class)
                || is(method, "destroy", DisposableBean.class)
                || contains(definition.getInitMethodNames(), method.getName())
                || contains(definition.getDestroyMethodNames(), method.getName());
    }

    /** Spring infers the end of a bean if neither the bean nor its {@code @Bean} method declares one. */
    private static boolean isInferred(Method method, Class<?> type, RootBeanDefinition definition) {
        String name = method.getName();
        String[] named = definition.getDestroyMethodNames();
        boolean closes = name.equals("close") && AutoCloseable.class.isAssignableFrom(type);
        boolean ends = Modifier.isPublic(method.getModifiers()) && (name.equals("close") || name.equals("shutdown"));
        return method.getParameterCount() == 0
                && !definition.isPrototype()
                && ((named == null && closes)
                        || (contains(named, AbstractBeanDefinition.INFER_METHOD) && (closes || ends)));
    }

    private static boolean is(Method method, String name, Class<?> of) {
        return method.getName().equals(name) && of.isAssignableFrom(method.getDeclaringClass());
    }

    private static boolean contains(String @Nullable [] names, String name) {
        return names != null && Arrays.asList(names).contains(name);
    }
}
