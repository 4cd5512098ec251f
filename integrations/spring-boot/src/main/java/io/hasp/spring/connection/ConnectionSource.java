package io.hasp.spring.connection;

import io.hasp.spring.HaspProperties.Connection;
import java.util.Optional;

/**
 * A kind of application connection. Each kind is a bean; the first that finds a connection serves the client without
 * {@code hasp.uri}.
 */
public interface ConnectionSource {

    /**
     * Returns the kind of connection.
     *
     * @return the same at each call
     */
    Connection kind();

    /**
     * Searches for a connection of this kind.
     *
     * @return empty if the application has none
     * @throws io.hasp.spring.HaspConfigurationException if it has one that can't be used, or several
     */
    Optional<FoundConnection> find();
}
