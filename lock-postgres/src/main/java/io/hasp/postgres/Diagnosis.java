package io.hasp.postgres;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

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

    private String text(Database database, String check, String query) {
        try {
            return database.call("check of the " + check, on -> Schema.text(on, query));
        } catch (BackendFailure e) {
            found(Level.UNKNOWN, check, String.valueOf(e.getMessage()));
            return "";
        }
    }

    /** Adds a finding about a value that was read; nothing if it could not be. */
    private void judge(String check, String value, Predicate<String> good, Level otherwise, String advice) {
        if (!value.isEmpty()) {
            boolean fine = good.test(value);
            found(fine ? Level.OK : otherwise, check, fine ? value : value + ": " + advice);
        }
    }

    private void server(Database database) {
        judge(
                "version",
                text(database, "version", "show server_version_num"),
                number -> Integer.parseInt(number) >= OLDEST,
                Level.FAIL,
                "PostgreSQL 14 or later is needed");
        judge(
                "role",
                text(database, "role", "select case when pg_is_in_recovery() then 'replica' else 'primary' end"),
                "primary"::equals,
                Level.FAIL,
                "it takes no writes; connect to the primary");
        judge(
                "encoding",
                text(database, "encoding", "show server_encoding"),
                "UTF8"::equals,
                Level.FAIL,
                "names of locks need UTF8");
        judge(
                "isolation",
                text(database, "isolation", "show default_transaction_isolation"),
                "read committed"::equals,
                Level.WARN,
                "calls fail where others change the same lock; set default_transaction_isolation of this role to"
                        + " 'read committed'");
    }

    private void durability(Database database) {
        judge(
                "durability",
                text(
                        database,
                        "durability",
                        "select 'fsync=' || current_setting('fsync') || ', synchronous_commit=' ||"
                                + " current_setting('synchronous_commit')"),
                settings -> settings.startsWith("fsync=on") && !settings.endsWith("=off"),
                Level.WARN,
                "a crash of the server may lose grants; switch both on");
        String standbys = text(database, "replication", "show synchronous_standby_names");
        found(
                Level.OK,
                "replication",
                standbys.isEmpty()
                        ? "no synchronous replica: a failover may lose grants"
                        : "commits wait for " + standbys);
        judge(
                "open transactions",
                text(
                        database,
                        "open transactions",
                        "select 'idle_in_transaction_session_timeout=' ||"
                                + " current_setting('idle_in_transaction_session_timeout')"),
                setting -> !setting.endsWith("=0"),
                Level.WARN,
                "a transaction that has checked a lease and stays open keeps the next holder out without limit");
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
        judge(
                "connections",
                text(
                        database,
                        "connections",
                        "select current_setting('max_connections')::int - count(*) || ' free' from pg_stat_activity"
                                + " where backend_type = 'client backend'"),
                free -> Long.parseLong(free.substring(0, free.indexOf(' ')))
                        > config.locks().poolSize(),
                Level.WARN,
                "fewer than one client needs");
        judge(
                "oldest transaction",
                text(
                        database,
                        "oldest transaction",
                        "select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::bigint || ' s' from"
                                + " pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid()"),
                age -> Long.parseLong(age.substring(0, age.indexOf(' '))) < OLD_TRANSACTION_SECONDS,
                Level.WARN,
                "old versions of rows stay as long, and calls become slower");
    }
}
