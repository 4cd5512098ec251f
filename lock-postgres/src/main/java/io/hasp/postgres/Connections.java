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
record Connections(DataSource source, Opening opening, Lending lending) implements DataSource {

    /** The way in which the settings of connections are restored before they are closed. */
    enum Lending {
        /** They are not restored: the connections are not used again. */
        NONE,
        /** Those of the driver. */
        OF_DRIVER,
        /** Those of the driver and of the session. */
        OF_SESSION
    }

    /** Connections that are closed for good behind their use. */
    static Connections own(DataSource source, Opening opening) {
        return new Connections(source, opening, Lending.NONE);
    }

    /** Connections that may go back to a pool, with the settings that they came with. */
    static Connections lent(DataSource source, boolean pooler) {
        return new Connections(source, source::getConnection, pooler ? Lending.OF_DRIVER : Lending.OF_SESSION);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = opening.open();
        if (lending == Lending.NONE) {
            return trusting(connection, () -> {});
        }
        try {
            LentSettings settings = LentSettings.of(connection, lending == Lending.OF_SESSION);
            return trusting(connection, () -> settings.restore(connection));
        } catch (SQLException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return trusting(source.getConnection(user, password), () -> {});
    }

    private static Connection trusting(Connection connection, Runnable beforeClose) {
        return (Connection) Proxy.newProxyInstance(
                Connections.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isValid")) {
                        return !connection.isClosed();
                    }
                    if (method.getName().equals("close")) {
                        beforeClose.run();
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
