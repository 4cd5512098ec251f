package io.hasp.postgres;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Checks a database for an operator. Creates and changes nothing. */
final class Diagnosis {
    static final String PAGE = "guarantees/postgres.md";

    /** Each role sees the number of replicas, and only some roles more of them. */
    private static final String REPLICATION = """
            select case when current_setting('synchronous_standby_names') <> ''
                        then 'commits wait for ' || current_setting('synchronous_standby_names')
                        when count(*) = 0 then 'no replica'
                        else '0 of ' || count(*) || ' replicas have each commit' end
              from pg_stat_replication""";

    private static final String PRIVILEGES = """
            select coalesce('missing: ' || string_agg(privilege, ', '), 'all that clients need') from (
              select upper(p) || ' on ' || t as privilege
                from unnest(array['lock', 'holder', 'waiter', 'tombstone', 'fence']) n,
                     unnest(array['select', 'insert', 'update', 'delete']) p,
                     concat('public.hasp_', n) t
               where has_table_privilege(to_regclass(t), p) is not true
              union all
              select 'EXECUTE on ' || f.oid::regprocedure from pg_proc f
               where f.pronamespace = (select pronamespace from pg_proc where oid = 'public.hasp_version()'::regprocedure)
                 and starts_with(f.proname, '$prefix') and not has_function_privilege(f.oid, 'execute')) missing""";

    private static final String MAY_CREATE = """
            select to_regproc('public.hasp_version') is null and current_setting('server_encoding') = 'UTF8'
               and coalesce(has_schema_privilege(to_regnamespace('"$schema"'), 'create'),
                            has_database_privilege(current_database(), 'create'))""";

    /** Views of single connections hide those of other roles from most roles. */
    private static final String CONNECTIONS = """
            select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
                   - sum(numbackends) || ' free' from pg_stat_database""";

    private static final String OLDEST_TRANSACTION = """
            select case when bool_or(backend_type is null) then 'hidden'
                        else coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::bigint || ' s' end
              from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid()""";

    /**
     * The limits of the checks.
     *
     * @param oldestVersion as in {@code server_version_num}
     * @param oldestTransaction a transaction is too old from this age on
     */
    record Limits(int oldestVersion, Duration oldestTransaction) {
        static final Limits USUAL = new Limits(140_000, Duration.ofMinutes(5));
    }

    private final List<Finding> findings = new ArrayList<>();
    private final PostgresConfig config;
    private final Limits limits;

    private Diagnosis(PostgresConfig config, Limits limits) {
        this.config = config;
        this.limits = limits;
    }

    static List<Finding> of(PostgresConfig config, BackendContext context) {
        return of(config, context, Limits.USUAL);
    }

    static List<Finding> of(PostgresConfig config, BackendContext context, Limits limits) {
        Diagnosis diagnosis = new Diagnosis(config, limits);
        try (Database database = Database.connect(config)) {
            diagnosis.found(Level.OK, "address", config.server() + " answers");
            diagnosis.all(database, context);
        } catch (BackendFailure e) {
            diagnosis.found(Level.FAIL, "address", String.valueOf(e.getMessage()));
        }
        return diagnosis.findings;
    }

    /** A server that no longer answers ends the checks: each of the others would wait for it once more. */
    private void all(Database database, BackendContext context) {
        try {
            server(database);
            durability(database);
            schema(database);
            messages(database, context);
            load(database);
        } catch (BackendFailure e) {
            found(Level.FAIL, "connection", String.valueOf(e.getMessage()));
        }
    }

    private void found(Level level, String check, String text) {
        findings.add(new Finding(level, check, text, PAGE));
    }

    /** Empty if the server refuses the query. */
    private String text(Database database, String check, String query) {
        try {
            return ask(database, check, query);
        } catch (BackendFailure e) {
            if (e.kind() == BackendFailure.Kind.UNAVAILABLE) {
                throw e;
            }
            found(Level.UNKNOWN, check, String.valueOf(e.getMessage()));
            return "";
        }
    }

    private static String ask(Database database, String check, String query) {
        return database.call("check of the " + check, on -> Schema.text(on, query));
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
                number -> Integer.parseInt(number) >= limits.oldestVersion(),
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
                Level.FAIL,
                "a client behind a pooler is refused; set default_transaction_isolation of this role to"
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
        judge(
                "replication",
                text(database, "replication", REPLICATION),
                answer -> !answer.startsWith("0 "),
                Level.WARN,
                "a failover may lose grants; set synchronous_standby_names");
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
            if (e.kind() == BackendFailure.Kind.UNAVAILABLE) {
                throw e;
            }
            String mayCreate = new Schema(locks).sql(MAY_CREATE).replace("$schema", locks.schema());
            if (locks.create() && text(database, "schema", mayCreate).equals("t")) {
                found(Level.OK, "schema", "no tables in " + locks.schema() + " yet: the first client creates them");
            } else {
                found(Level.FAIL, "schema", String.valueOf(e.getMessage()));
            }
            return;
        }
        judge(
                "privileges",
                text(database, "privileges", new Schema(locks).sql(PRIVILEGES).replace("$prefix", locks.prefix())),
                "all that clients need"::equals,
                Level.FAIL,
                "grant them to this role, or create the tables again if they are gone");
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
            ask(database, "messages", "select pg_notify('" + channel + "', 'x')");
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
                text(database, "connections", CONNECTIONS),
                free -> Long.parseLong(free.substring(0, free.indexOf(' ')))
                        > config.locks().poolSize(),
                Level.WARN,
                "fewer than one client needs");
        String oldest = text(database, "oldest transaction", OLDEST_TRANSACTION);
        if (oldest.equals("hidden")) {
            found(
                    Level.UNKNOWN,
                    "oldest transaction",
                    "this role does not see those of other roles: grant pg_read_all_stats to it");
            return;
        }
        judge(
                "oldest transaction",
                oldest,
                age -> Long.parseLong(age.substring(0, age.indexOf(' ')))
                        < limits.oldestTransaction().toSeconds(),
                Level.WARN,
                "old versions of rows stay as long, and calls become slower");
    }
}
