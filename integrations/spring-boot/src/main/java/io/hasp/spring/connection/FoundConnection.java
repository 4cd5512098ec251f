package io.hasp.spring.connection;

import io.hasp.spi.BackendSource;
import java.util.List;

/**
 * A connection of the application.
 *
 * @param words its server and its bean, without credentials, for the log
 * @param backend opens the backend on it
 * @param beans the beans that must not be destroyed before the lock client
 */
public record FoundConnection(String words, BackendSource backend, List<String> beans) {}
