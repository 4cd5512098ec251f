package io.hasp.spring.connection;

import io.hasp.spi.BackendSource;
import java.util.List;

/**
 * A connection of the application.
 *
 * @param words where it leads and whose it is, without credentials, for the log
 * @param backend opens the backend on it
 * @param beans what must not be destroyed before the lock client
 */
public record FoundConnection(String words, BackendSource backend, List<String> beans) {}
