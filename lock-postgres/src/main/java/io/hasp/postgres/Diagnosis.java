package io.hasp.postgres;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Checks a database for an operator. Creates and changes nothing. */
final class Diagnosis {
    static final String PAGE = "guarantees/postgres.md";
    private static final int OLDEST = 140_000;
    private static final int OLD_TRANSACTION_SECONDS = 300;

    private final List<Finding> findings = new ArrayList<>();
    private final PostgresConfig config;

    private Diagnosis(PostgresConfig config) {
        this.config = config;
    }

    static List<Finding> of(PostgresConfig config, BackendContext context) {
        Diagnosis diagnosis = new Diagnosis(config);
        try (Database database = Database.connect(config)) {
            diagnosis.found(Level.OK, "address", config.server() + " answers");
            diagnosis.server(database);
            diagnosis.durability(database);
            diagnosis.schema(database);
            diagnosis.messages(database, context);
            diagnosis.load(database);
        } catch (BackendFailure e) {
            diagnosis.found(Level.FAIL, "address", String.valueOf(e.getMessage()));
        }
        return diagnosis.findings;
    }

    private void found(Level level, String check, String text) {
        findings.add(new Finding(level, check, text, PAGE));
    }

    /** A value of the server. */
    private interface Value {
        String of(Connection on) throws SQLException;
    }

    private String read(Database database, String check, Value value) {
        try {
            return database.call("check of the " + check, value::of);
        } catch (BackendFailure e) {
            found(Level.UNKNOWN, check, String.valueOf(e.getMessage()));
            return "";
        }
    }

    private String text(Database database, String check, String query) {
        return read(database, check, on -> Schema.text(on, query));
    }

    private void server(Database database) {
        String version = text(database, "version", "show server_version_num");
        if (!version.isEmpty()) {
            boolean known = Integer.parseInt(version) >= OLDEST;
            found(
                    known ? Level.OK : Level.FAIL,
                    "version",
                    "PostgreSQL " + text(database, "version", "show server_version")
                            + (known ? "" : ": 14 or later is needed"));
        }
        String replica = text(database, "role", "select pg_is_in_recovery()");
        if (!replica.isEmpty()) {
            boolean primary = replica.equals("f");
            found(
                    primary ? Level.OK : Level.FAIL,
                    "role",
                    primary ? "a primary" : "a replica, which takes no writes: connect to the primary");
        }
        String encoding = text(database, "encoding", "show server_encoding");
        if (!encoding.isEmpty()) {
            boolean utf8 = encoding.equals("UTF8");
            found(utf8 ? Level.OK : Level.FAIL, "encoding", encoding + (utf8 ? "" : ": names of locks need UTF8"));
        }
        String isolation = text(database, "isolation", "show default_transaction_isolation");
        if (!isolation.isEmpty()) {
            boolean usual = isolation.equals("read committed");
            found(
                    usual ? Level.OK : Level.WARN,
                    "isolation",
                    isolation
                            + (usual
                                    ? ""
                                    : ": calls fail where others change the same lock; set default_transaction_isolation of"
                                            + " this role to 'read committed'"));
        }
    }

    private void durability(Database database) {
        String fsync = text(database, "durability", "show fsync");
        String commit = text(database, "durability", "show synchronous_commit");
        if (!fsync.isEmpty() && !commit.isEmpty()) {
            boolean durable = fsync.equals("on") && !commit.equals("off");
            found(
                    durable ? Level.OK : Level.WARN,
                    "durability",
                    "fsync=" + fsync + ", synchronous_commit=" + commit
                            + (durable ? "" : ": a crash of the server may lose grants; switch both on"));
        }
        String standbys = text(database, "replication", "show synchronous_standby_names");
        found(
                Level.OK,
                "replication",
                standbys.isEmpty()
                        ? "no synchronous replica: a failover may lose grants"
                        : "commits wait for " + standbys);
        String open = text(database, "open transactions", "show idle_in_transaction_session_timeout");
        if (!open.isEmpty()) {
            boolean bounded = !open.equals("0");
            found(
                    bounded ? Level.OK : Level.WARN,
                    "open transactions",
                    "idle_in_transaction_session_timeout=" + open
                            + (bounded
                                    ? ""
                                    : ": a transaction that has checked a lease and stays open keeps the next holder"
                                            + " out without limit"));
        }
    }

    private void schema(Database database) {
        PostgresLocks locks = config.locks();
        try {
            new Schema(locks.create(false)).ensure(database);
            found(Level.OK, "schema", "version " + Schema.VERSION + " in " + locks.schema());
        } catch (BackendFailure e) {
            found(Level.FAIL, "schema", String.valueOf(e.getMessage()));
            return;
        }
        List<String> missing = new ArrayList<>();
        for (String table : List.of("lock", "holder", "waiter", "tombstone", "fence")) {
            for (String privilege : List.of("select", "insert", "update", "delete")) {
                String name = new Schema(locks).sql("public.hasp_" + table);
                String may =
                        text(database, "privileges", "select has_table_privilege('" + name + "', '" + privilege + "')");
                if (may.equals("f")) {
                    missing.add(privilege.toUpperCase(Locale.ROOT) + " on " + name);
                }
            }
        }
        found(
                missing.isEmpty() ? Level.OK : Level.FAIL,
                "privileges",
                missing.isEmpty() ? "all that clients need" : "missing: " + String.join(", ", missing));
    }

    private void messages(Database database, BackendContext context) {
        if (!config.locks().listens()) {
            found(Level.OK, "messages", "none: waiters poll");
            return;
        }
        String channel = Channel.of(config.locks(), "diagnosis-" + context.clientId());
        CountDownLatch heard = new CountDownLatch(1);
        try (Listener listener = new Listener(database, channel, text -> heard.countDown(), () -> {})) {
            listener.start();
            text(database, "messages", "select pg_notify('" + channel + "', 'x')");
            boolean came = heard.await(config.locks().commandTimeout().toNanos(), TimeUnit.NANOSECONDS);
            found(
                    came ? Level.OK : Level.WARN,
                    "messages",
                    came ? "LISTEN works" : "no message came: behind a transaction pooler use notify=poll");
        } catch (BackendFailure e) {
            found(Level.WARN, "messages", String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            found(Level.UNKNOWN, "messages", "interrupted");
        }
    }

    private void load(Database database) {
        String free = text(
                database,
                "connections",
                "select current_setting('max_connections')::int - count(*) from pg_stat_activity where backend_type ="
                        + " 'client backend'");
        if (!free.isEmpty()) {
            boolean enough = Integer.parseInt(free) > config.locks().poolSize();
            found(
                    enough ? Level.OK : Level.WARN,
                    "connections",
                    free + " are free" + (enough ? "" : ": fewer than one client needs"));
        }
        String oldest = text(
                database,
                "oldest transaction",
                "select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::bigint from pg_stat_activity"
                        + " where backend_xmin is not null and pid <> pg_backend_pid()");
        if (!oldest.isEmpty()) {
            boolean young = Long.parseLong(oldest) < OLD_TRANSACTION_SECONDS;
            found(
                    young ? Level.OK : Level.WARN,
                    "oldest transaction",
                    oldest + " s" + (young ? "" : ": old versions of rows stay as long, and calls become slower"));
        }
    }
}
