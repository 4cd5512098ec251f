package io.hasp.spring.locked;

import io.hasp.Lease;
import io.hasp.locked.spi.Enclosing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction in which a locked method was called: what the method wrote becomes visible with its commit, so the lock is held
 * until then. If it is lost before, the transaction is rolled back.
 */
public final class EnclosingTransaction implements Enclosing {
    public EnclosingTransaction() {}

    @Override
    public CompletionStage<?> outlived(Lease lease) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return NOTHING.outlived(lease);
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                lease.ensureHeld();
            }

            @Override
            public void afterCompletion(int status) {
                end.complete(null);
            }
        });
        return end;
    }
}
