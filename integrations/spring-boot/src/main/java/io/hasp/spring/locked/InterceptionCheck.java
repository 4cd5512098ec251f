package io.hasp.spring.locked;

import io.hasp.spring.HaspConfigurationException;
import java.lang.reflect.Method;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.target.AbstractBeanFactoryBasedTargetSource;
import org.springframework.util.ClassUtils;

/**
 * Refuses beans whose locked methods are not intercepted, or are intercepted inside of their transaction. Mocks, and
 * proxies that pass calls to another bean, have no code to lock.
 */
final class InterceptionCheck {
    private static final String TRANSACTIONS = "org.springframework.transaction.interceptor.TransactionAspectSupport";

    private InterceptionCheck() {}

    static void require(Object bean, String name, Method method) {
        if (isMock(bean)) {
            return;
        }
        if (bean instanceof Advised advised) {
            if (advised.getTargetSource() instanceof AbstractBeanFactoryBasedTargetSource) {
                return;
            }
            requireOutside(advised.getAdvisors(), name, method);
        } else if (!AopUtils.isAopProxy(bean)) {
            throw refuseUnintercepted(name, method);
        }
    }

    /** By name, because Mockito is present in tests only. */
    private static boolean isMock(Object bean) {
        try {
            Class<?> mockito =
                    ClassUtils.forName("org.mockito.Mockito", bean.getClass().getClassLoader());
            Object details = mockito.getMethod("mockingDetails", Object.class).invoke(null, bean);
            return Boolean.TRUE.equals(Class.forName("org.mockito.MockingDetails", false, mockito.getClassLoader())
                    .getMethod("isMock")
                    .invoke(details));
        } catch (ReflectiveOperationException | LinkageError e) {
            return false;
        }
    }

    private static HaspConfigurationException refuseUnintercepted(String name, Method method) {
        return LockedBeans.refused(
                method,
                "Spring does not intercept it in the bean '" + name
                        + "', which was made before proxies are (for a BeanPostProcessor, perhaps), or registered as an object",
                null);
    }

    private static void requireOutside(Advisor[] advisors, String name, Method method) {
        boolean transaction = false;
        for (Advisor advisor : advisors) {
            if (advisor instanceof LockedAdvisor) {
                if (transaction) {
                    throw LockedBeans.refused(
                            method,
                            "the bean '" + name
                                    + "' begins its transaction before the lock is taken, so the lock would be released before the commit;"
                                    + " give the transaction advisor a lower precedence (a larger order)",
                            null);
                }
                return;
            }
            transaction |= isOfTransactions(advisor.getAdvice().getClass());
        }
        throw refuseUnintercepted(name, method);
    }

    /** By name, because transactions may be absent. */
    private static boolean isOfTransactions(Class<?> advice) {
        for (Class<?> each = advice; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(TRANSACTIONS)) {
                return true;
            }
        }
        return false;
    }
}
