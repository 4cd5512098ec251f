package io.hasp.spring.autoconfigure;

import io.hasp.ClientClosedException;
import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Disconnects the lock clients of a context that is stopped or paused and continues later, after all of its other
 * beans. Their next call reconnects them. A closed context closes its clients later, because beans may take locks while
 * they are destroyed; see {@code ClientsLast}. Thread-safe.
 */
final class ClientsLifecycle implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {
    private static final Log LOG = LogFactory.getLog("io.hasp.spring");

    private final ConfigurableListableBeanFactory beans;
    private volatile boolean running;
    private volatile boolean closing;

    ClientsLifecycle(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Started first and stopped last. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext().getAutowireCapableBeanFactory() == beans) {
            closing = true;
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (closing) {
            return;
        }
        for (String name : beans.getBeanNamesForType(LockClient.class, true, false)) {
            if (beans.getSingleton(name) instanceof LockClient client) {
                disconnect(name, client);
            }
        }
    }

    private static void disconnect(String name, LockClient client) {
        try {
            client.disconnect();
        } catch (ClientClosedException | UnsupportedCapabilityException e) {
            LOG.info("The lock client '" + name + "' stays as it is while its context is stopped: " + e.getMessage());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
