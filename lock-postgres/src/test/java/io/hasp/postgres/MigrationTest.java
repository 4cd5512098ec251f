package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.PostgresServer;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the schema, run by the tools that services create their tables with, as the page says. */
class MigrationTest {
    private final PostgresServer server = PostgresServer.start();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        server.close();
    }

    /** Without {@code schema=create}. */
    private void aClientWorks() {
        String uri = server.uri().replace("?schema=create", "");
        assertThat(uri).doesNotContain("schema");
        try (TestBackend client = TestBackend.on(PostgresBackend.on(PostgresConfig.of(URI.create(uri))))) {
            client.granted(
                    Claim.renewedLease(new LockName("migrated"), new HolderId("a"), Duration.ofSeconds(30), false));
        }
    }

    private String ddl() {
        return new Schema(PostgresLocks.defaults()).ddl();
    }

    @Test
    void flyway_creates_the_tables() throws Exception {
        Files.writeString(folder.resolve("V1__hasp.sql"), ddl());
        Flyway flyway = Flyway.configure()
                .dataSource("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres", "postgres", "postgres")
                .locations("filesystem:" + folder)
                .load();
        assertThat(flyway.migrate().migrationsExecuted).isEqualTo(1);
        aClientWorks();
    }

    @Test
    void liquibase_creates_the_tables() throws Exception {
        Files.writeString(folder.resolve("schema-1.sql"), ddl());
        Files.writeString(folder.resolve("changelog.xml"), """
                <databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="http://www.liquibase.org/xml/ns/dbchangelog
                        http://www.liquibase.org/xml/ns/dbchangelog/dbchangelog-latest.xsd">
                  <changeSet id="hasp-1" author="you">
                    <sqlFile path="schema-1.sql" splitStatements="false"/>
                  </changeSet>
                </databaseChangeLog>
                """);
        try (Connection connection = server.connect();
                Liquibase liquibase = new Liquibase(
                        "changelog.xml", new DirectoryResourceAccessor(folder), new JdbcConnection(connection))) {
            liquibase.update("");
        }
        aClientWorks();
    }
}
