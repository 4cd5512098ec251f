package io.hasp.postgres;

import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import com.zaxxer.hikari.util.DriverDataSource;
import com.zaxxer.hikari.util.PropertyElf;
import com.zaxxer.hikari.util.UtilityElf;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens connections. */
@FunctionalInterface
interface Opening {
    Connection open() throws SQLException;

    /** Opens connections as a pool of HikariCP does, with the credentials that the pool has at that time. */
    static Opening like(HikariDataSource pool, Consumer<Properties> toDriver) throws SQLException {
        DataSource source = source(pool, toDriver);
        return () -> {
            HikariCredentialsProvider provider = provider(pool);
            if (provider != null) {
                Credentials present = provider.getCredentials();
                return source.getConnection(present.getUsername(), present.getPassword());
            }
            String user = pool.getUsername();
            return user == null ? source.getConnection() : source.getConnection(user, pool.getPassword());
        };
    }

    /** HikariCP before version 7 has none. */
    private static @Nullable HikariCredentialsProvider provider(HikariDataSource pool) {
        try {
            return pool.getCredentialsProvider();
        } catch (NoSuchMethodError e) {
            return null;
        }
    }

    private static DataSource source(HikariDataSource pool, Consumer<Properties> toDriver) throws SQLException {
        if (pool.getDataSource() != null) {
            return pool.getDataSource();
        }
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        if (pool.getDataSourceClassName() != null) {
            // The shorter method is new in version 7.
            DataSource source =
                    UtilityElf.createInstance(pool.getDataSourceClassName(), DataSource.class, new Object[0]);
            PropertyElf.setTargetFromProperties(source, properties);
            return source;
        }
        if (pool.getJdbcUrl() == null) {
            throw new SQLException("the pool has no URL and no data source whose connections the locks may use");
        }
        toDriver.accept(properties);
        return new DriverDataSource(
                pool.getJdbcUrl(), pool.getDriverClassName(), properties, pool.getUsername(), pool.getPassword());
    }
}
