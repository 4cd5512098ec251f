package io.hasp.spring.locked;

import io.hasp.locked.spi.HeldLeases;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Prevents the commit of a transaction that began in a locked method whose lock is lost. By its rules Spring treats a
 * checked exception as a success. So it would commit after an {@code InterruptedException} that the loss caused.
 */
public final class CommitCheck implements BeanPostProcessor, TransactionExecutionListener {
    private final ObjectProvider<HeldLeases> held;

    public CommitCheck(ObjectProvider<HeldLeases> held) {
        this.held = held;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(this);
        }
        return bean;
    }

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        held.getObject().ensureHeld();
    }
}
