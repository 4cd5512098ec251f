package io.hasp.spring.locked;

import io.hasp.locked.spi.Enclosing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction around the call of a locked method. The method's writes become visible with its commit, so the lock
 * is held until then. If the lock is lost before, the transaction is rolled back.
 */
public final class EnclosingTransaction implements Enclosing {
    public EnclosingTransaction() {}

    @Override
    public CompletionStage<?> outlived(Runnable ensureHeld) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return NOTHING.outlived(ensureHeld);
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                ensureHeld.run();
            }

            @Override
            public void afterCompletion(int status) {
                end.complete(null);
            }
        });
        return end;
    }
}
