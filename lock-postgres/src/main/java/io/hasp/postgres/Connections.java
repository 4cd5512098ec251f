package io.hasp.postgres;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Makes the connections of a pool. The pool asks each connection that was idle for half a second whether it is alive, which costs a round
 * trip more than a renewal has. A connection of this source answers from what it knows; {@link Database} repeats a call that met a dead one.
 */
record Connections(DataSource source, Opening opening) implements DataSource {

    Connections(DataSource source) {
        this(source, source::getConnection);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return trusting(opening.open());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return trusting(source.getConnection(user, password));
    }

    private static Connection trusting(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                Connections.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isValid")) {
                        return !connection.isClosed();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
