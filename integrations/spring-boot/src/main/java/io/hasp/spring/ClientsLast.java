package io.hasp.spring;

import io.hasp.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Closes the lock clients of a context, and their connections, after all of its other beans. Any other bean may wait
 * for work under a lock, or run more of it, independently of the order of creation. Spring destroys beans in the
 * reverse order of their creation, so this bean, which is created first, is destroyed last. When the context begins to
 * end, it takes over the clients' destruction from Spring. The clients close at the same time, and their wait includes
 * the time that the other beans needed. Thread-safe.
 */
public final class ClientsLast
        implements BeanFactoryPostProcessor, PriorityOrdered, ApplicationListener<ContextClosedEvent>, DisposableBean {
    private static final DisposableBean LATER = () -> {};

    /** Each object after its dependencies. */
    private final Map<String, Object> kept = new LinkedHashMap<>();

    private @Nullable ConfigurableListableBeanFactory beans;
    /** The moment in nanoseconds when the context began to end. */
    private long begun;

    public ClientsLast() {}

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
        beans = factory;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        // The event of a nested context arrives here as well.
        if (beans instanceof DefaultSingletonBeanRegistry ours
                && event.getApplicationContext().getAutowireCapableBeanFactory() == ours) {
            synchronized (this) {
                begun = kept.isEmpty() ? System.nanoTime() : begun;
            }
            for (String client : beans.getBeanNamesForType(LockClient.class, true, false)) {
                keep(client, beans, ours);
            }
        }
    }

    private synchronized void keep(
            String name, ConfigurableListableBeanFactory factory, DefaultSingletonBeanRegistry ours) {
        Object bean = factory.getSingleton(name);
        if (bean == null || kept.containsKey(name) || !factory.containsBeanDefinition(name) || endsItself(bean)) {
            return;
        }
        String maker = factory.getMergedBeanDefinition(name).getFactoryBeanName();
        for (String needed : factory.getDependenciesForBean(name)) {
            if (!needed.equals(maker)) {
                keep(needed, factory, ours);
            }
        }
        kept.put(name, bean);
        ours.registerDisposableBean(name, LATER);
    }

    /** Executors have to end while the clients work, but not Netty's event loops, which carry connections. */
    private static boolean endsItself(Object bean) {
        return bean instanceof Executor && !bean.getClass().getName().startsWith("io.netty.");
    }

    /**
     * Returns a client that lives until the end of the context, although Spring no longer returns it: Spring removes
     * beans together with their dependencies.
     *
     * @param name of its bean
     * @return null before the context begins to end
     */
    public synchronized @Nullable LockClient client(String name) {
        return kept.get(name) instanceof LockClient client ? client : null;
    }

    @Override
    public void destroy() {
        List<Map.Entry<String, Object>> last;
        Duration elapsed;
        synchronized (this) {
            last = new ArrayList<>(kept.entrySet());
            elapsed = Duration.ofNanos(System.nanoTime() - begun);
        }
        Collections.reverse(last);
        try {
            LockClient.closeAll(closable(last), elapsed);
        } finally {
            last.forEach(each -> Objects.requireNonNull(beans).destroyBean(each.getKey(), each.getValue()));
        }
    }

    /** The clients that Spring would close. */
    private List<LockClient> closable(List<Map.Entry<String, Object>> all) {
        List<LockClient> clients = new ArrayList<>();
        for (Map.Entry<String, Object> each : all) {
            String end = Objects.requireNonNull(beans)
                    .getMergedBeanDefinition(each.getKey())
                    .getDestroyMethodName();
            if (each.getValue() instanceof LockClient client
                    && (end == null || end.equals("close") || end.equals(AbstractBeanDefinition.INFER_METHOD))) {
                clients.add(client);
            }
        }
        return clients;
    }
}
