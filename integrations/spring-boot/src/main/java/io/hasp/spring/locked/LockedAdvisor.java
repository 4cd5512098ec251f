package io.hasp.spring.locked;

import io.hasp.locked.spi.LockedMethods;
import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;

/** Intercepts calls of {@link io.hasp.locked.Locked} methods, outside of transactions. */
public final class LockedAdvisor extends StaticMethodMatcherPointcutAdvisor {
    private static final long serialVersionUID = 1L;

    /**
     * Inside of interceptors that decide if a call is allowed, such as security. Transactions have the lowest
     * precedence.
     */
    private static final int USUAL_ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

    private static final String OF_TRANSACTIONS = "org.springframework.transaction.config.internalTransactionAdvisor";

    private final transient BeanFactory beans;

    public LockedAdvisor(LockedBeans locked, BeanFactory beans) {
        super(new LockedInterceptor(locked));
        this.beans = beans;
    }

    @Override
    public boolean matches(Method method, Class<?> type) {
        return LockedMethods.isLocked(LockedBeans.ofTarget(method, type));
    }

    /** The lock comes before transactions, independently of their configured order. */
    @Override
    public int getOrder() {
        int transactions =
                beans.containsBean(OF_TRANSACTIONS) && beans.getBean(OF_TRANSACTIONS) instanceof Ordered ordered
                        ? ordered.getOrder()
                        : Ordered.LOWEST_PRECEDENCE;
        return Math.min(USUAL_ORDER, transactions == Ordered.HIGHEST_PRECEDENCE ? transactions : transactions - 1);
    }
}
