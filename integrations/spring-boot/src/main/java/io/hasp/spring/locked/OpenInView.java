package io.hasp.spring.locked;

import io.hasp.locked.spi.LockedMethod;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Warns if a request has one persistence context from its beginning ({@code spring.jpa.open-in-view}) and locked
 * methods begin transactions. Entities that the request read before it had the lock are not read again under it, so
 * updates are lost.
 */
final class OpenInView {
    private static final Log LOG = LogFactory.getLog("io.hasp.spring");

    /** By name, because they may be absent. */
    private static final List<String> INTERCEPTORS = List.of(
            "org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor",
            "org.springframework.orm.jpa.support.OpenEntityManagerInViewFilter");

    private static final List<String> TRANSACTIONAL =
            List.of("org.springframework.transaction.annotation.Transactional", "jakarta.transaction.Transactional");

    private OpenInView() {}

    static void warn(Collection<Method> locked, ConfigurableListableBeanFactory beans) {
        List<String> methods = locked.stream()
                .filter(OpenInView::isTransactional)
                .map(LockedMethod::show)
                .sorted()
                .toList();
        if (!methods.isEmpty() && INTERCEPTORS.stream().anyMatch(type -> isBean(type, beans))) {
            LOG.warn("spring.jpa.open-in-view is on, and " + String.join(", ", methods) + " "
                    + (methods.size() == 1 ? "is" : "are")
                    + " both @Locked and @Transactional: a request that read an entity before the call does not read it again"
                    + " under the lock, and overwrites what others wrote. Set spring.jpa.open-in-view=false");
        }
    }

    private static boolean isTransactional(Method method) {
        return Stream.of(method, method.getDeclaringClass())
                .map(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
                .anyMatch(found -> TRANSACTIONAL.stream().anyMatch(found::isPresent));
    }

    private static boolean isBean(String type, ConfigurableListableBeanFactory beans) {
        ClassLoader loader = beans.getBeanClassLoader();
        return ClassUtils.isPresent(type, loader)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(type, loader), true, false).length > 0;
    }
}
