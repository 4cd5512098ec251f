package io.hasp.spring.locked;

import io.hasp.locked.spi.HeldLeases;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * No transaction that began in a locked method is committed when its lock is lost. Without this, Spring would commit one whose method
 * throws {@code InterruptedException} because it was interrupted on that loss: by its rules a checked exception is a success.
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
