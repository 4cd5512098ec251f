package io.hasp.spring.connection;

import io.hasp.spring.HaspProperties.Connection;
import java.util.Optional;

/**
 * A kind of connection that an application may have. Each one is a bean; the one that finds something serves the client without
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
     * Looks for it.
     *
     * @return empty if the application has none
     * @throws HaspConfigurationException if it has one that can't be used, or several
     */
    Optional<FoundConnection> find();
}
