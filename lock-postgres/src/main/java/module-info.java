/** Locks on PostgreSQL. */
module io.hasp.postgres {
    requires transitive io.hasp;
    requires transitive java.sql;
    requires static org.jspecify;
    requires com.zaxxer.hikari;
    // The name that the driver's manifest sets: it has no descriptor.
    requires org.postgresql.jdbc;

    exports io.hasp.postgres;

    // The driver creates a socket factory by its name.
    opens io.hasp.postgres.socket to
            org.postgresql.jdbc;

    provides io.hasp.spi.LockBackendProvider with
            io.hasp.postgres.PostgresBackendProvider;
}
