package io.hasp.spring.locked;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.locked.spi.LockedMethod;
import io.hasp.locked.spi.LockedMethod.Surroundings;
import io.hasp.locked.spi.LockedMethods;
import io.hasp.spring.ClientsLast;
import io.hasp.spring.HaspConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * Finds and parses the {@link Locked} methods of each bean before its first use. Refuses methods that can't be locked,
 * and beans whose calls are not intercepted.
 */
public final class LockedBeans implements MergedBeanDefinitionPostProcessor, SmartInitializingSingleton {
    private static final LockedMethods METHODS = LockedMethods.holdingStages("Spring");

    /** By name, because Spring's test classes are present in tests only. */
    private static final String OVERRIDE = "org.springframework.test.context.bean.override.BeanOverride";

    private final Map<Method, LockedMethod> understood = new ConcurrentHashMap<>();
    /** The locked methods of each class seen so far. */
    private final Map<Class<?>, List<Method>> ofClass = new ConcurrentHashMap<>();

    private final ConfigurableListableBeanFactory beans;
    private final ClientLookup clients;
    private final ClientsLast ending;
    private final Surroundings surroundings;

    public LockedBeans(ConfigurableListableBeanFactory beans, ClientsLast ending, Surroundings surroundings) {
        this.beans = beans;
        this.clients = new ClientLookup(beans);
        this.ending = ending;
        this.surroundings = surroundings;
    }

    /** Returns the method that a call on an object of the type runs. */
    static Method ofTarget(Method method, Class<?> type) {
        return BridgeMethodResolver.findBridgedMethod(AopUtils.getMostSpecificMethod(method, type));
    }

    /** Returns the locked method behind a method of a class. */
    LockedMethod method(Method ofTarget) {
        return understand(ofTarget, clients::beanOf);
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        List<Method> locked = prepare(type, name);
        locked.forEach(method -> CallbacksOfSpring.refuse(method, type, definition));
    }

    /** Objects made by a FactoryBean are visible only here. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Class<?> type = AopUtils.getTargetClass(bean);
        List<Method> locked = prepare(type, name);
        if (!locked.isEmpty() && isProduct(bean, name)) {
            InterceptionCheck.require(bean, name, locked.get(0));
        }
        if (Proxy.isProxyClass(bean.getClass())) {
            refuseInterfaces(bean.getClass(), type);
        }
        return bean;
    }

    private boolean isProduct(Object bean, String name) {
        return !(bean instanceof FactoryBean) && beans.containsBean(name) && beans.isFactoryBean(name);
    }

    private List<Method> prepare(Class<?> type, String name) {
        if (Proxy.isProxyClass(type)) {
            refuseInterfaces(type, Object.class);
            return List.of();
        }
        Class<?> user = ClassUtils.getUserClass(type);
        List<Method> locked = ofClass.computeIfAbsent(user, LockedBeans::find);
        for (Method method : locked) {
            String client = clients.beanOf(method);
            // A bean that uses a lock is destroyed before its client.
            beans.registerDependentBean(client, name);
            understand(method, any -> client);
        }
        return locked;
    }

    /**
     * Refuses locked methods of interfaces that the proxy has and the class does not implement, such as a repository's.
     * They have no code to lock.
     */
    private void refuseInterfaces(Class<?> proxy, Class<?> implementing) {
        for (Class<?> each : proxy.getInterfaces()) {
            if (!each.isAssignableFrom(implementing)) {
                ofClass.computeIfAbsent(each, LockedBeans::find);
            }
        }
    }

    private static List<Method> find(Class<?> type) {
        if (type.getName().startsWith("org.springframework.")) {
            return List.of();
        }
        try {
            return METHODS.in(type, (method, problem) -> {
                throw refused(method, problem, null);
            });
        } catch (LinkageError e) {
            // The methods of the class need absent libraries. Spring does not inspect them either.
            return List.of();
        }
    }

    private LockedMethod understand(Method method, Function<Method, String> client) {
        LockedMethod known = understood.get(method);
        return known != null
                ? known
                : understood.computeIfAbsent(method, any -> newlyUnderstood(method, client.apply(method)));
    }

    private LockedMethod newlyUnderstood(Method method, String client) {
        try {
            return new LockedMethod(method, () -> client(client), surroundings);
        } catch (IllegalArgumentException e) {
            throw refused(method, String.valueOf(e.getMessage()), e);
        }
    }

    private LockClient client(String name) {
        LockClient last = ending.client(name);
        return last != null ? last : beans.getBean(name, LockClient.class);
    }

    static HaspConfigurationException refused(Method method, String problem, @Nullable Throwable cause) {
        return refused(
                method,
                problem,
                "Correct the method or its annotation; a lock that is silently not taken would be worse.",
                cause);
    }

    static HaspConfigurationException refused(Method method, String problem, String action, @Nullable Throwable cause) {
        return new HaspConfigurationException(
                "@Locked on " + LockedMethod.show(method) + ": " + problem, action, cause);
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : Set.of(beans.getSingletonNames())) {
            Object bean = beans.getSingleton(name);
            if (bean != null) {
                List<Method> locked = prepare(AopUtils.getTargetClass(bean), name);
                if (!locked.isEmpty() && !isOfTest(name)) {
                    InterceptionCheck.require(bean, name, locked.get(0));
                }
            }
        }
        understood.forEach(this::requireSupported);
        OpenInView.warn(understood.keySet(), beans);
    }

    /** Returns true if a test has replaced the bean with its own object, for example by {@code @TestBean}. */
    private boolean isOfTest(String name) {
        return beans.containsBeanDefinition(name)
                && beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition
                && definition.getQualifiedElement() != null
                && MergedAnnotations.from(definition.getQualifiedElement()).isPresent(OVERRIDE);
    }

    /** Checked for existing clients only: the others connect at their first call. */
    private void requireSupported(Method method, LockedMethod locked) {
        if (beans.getSingleton(clients.beanOf(method)) instanceof LockClient client) {
            locked.unsupportedBy(client).ifPresent(problem -> {
                throw refused(method, problem, null);
            });
        }
    }
}
