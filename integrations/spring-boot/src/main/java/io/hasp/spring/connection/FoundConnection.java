package io.hasp.spring.connection;

import io.hasp.spi.BackendSource;
import io.hasp.spring.locked.TransactionFences.Fence;
import java.util.List;
import java.util.Optional;

/**
 * A connection of the application.
 *
 * @param words its server and its bean, without credentials, for the log
 * @param backend opens the backend on it
 * @param beans the beans that must not be destroyed before the lock client
 * @param fence checks a lease inside of a transaction on this connection; empty if the service has no such check
 */
public record FoundConnection(String words, BackendSource backend, List<String> beans, Optional<Fence> fence) {

    /** Creates a connection to a service without transactions. */
    public FoundConnection(String words, BackendSource backend, List<String> beans) {
        this(words, backend, beans, Optional.empty());
    }
}
