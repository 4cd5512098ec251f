package io.hasp.postgres;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.HolderId;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Shows the rows of locks. Each content is of one snapshot. Thread-safe. */
final class PostgresInspector implements Inspector {
    private static final String NAMES =
            "select name from public.hasp_lock where name > ? collate \"C\" and name >= ? collate \"C\" order by name limit "
                    + MOST_ON_A_PAGE;
    /** The lock, its holders, its waiters; the names first, so that each lock is one run of rows. */
    private static final String CONTENT = """
            with n as (select clock_timestamp() as now),
            l as (select * from public.hasp_lock where name = any (?))
            select l.name, 0 as kind, 0::bigint as place, '' as id, l.capacity as weight, l.last_token as token, '' as state,
                false as keeps, '' as label, %1$s as since, 0::bigint as micros,
                (select count(*) from public.hasp_waiter w where w.name = l.name and w.alive_until > n.now) as waiting
              from l, n
            union all
            select h.name, 1, h.slot, h.holder, h.weight, h.token, h.state, h.keeps, h.label, %2$s, %3$s, 0
              from l join public.hasp_holder h using (name), n where h.holder <> '' and h.expires > n.now
            union all
            select w.name, 2, w.ticket, w.holder, w.weight, 0, '', w.keeps, w.label, %4$s, 0, 0
              from l, n, lateral (select * from public.hasp_waiter w where w.name = l.name and w.alive_until > n.now
                order by w.ticket, w.holder limit %5$s) w
            order by name, kind, place, id""".formatted(
                    micros("n.now"), micros("h.since"), micros("h.expires - n.now"), micros("w.since"), MOST_WAITERS);

    private static final String REMOVE = "select public.hasp_release(?, ?, true, ?)";

    private final Database database;
    private final BlockingCalls blocking;
    private final String names;
    private final String content;
    private final String remove;

    PostgresInspector(Database database, Schema schema, BlockingCalls blocking) {
        this.database = database;
        this.blocking = blocking;
        this.names = schema.sql(NAMES);
        this.content = schema.sql(CONTENT);
        this.remove = schema.sql(REMOVE);
    }

    private static String micros(String time) {
        return "(extract(epoch from " + time + ") * 1000000)::bigint";
    }

    @Override
    public CompletionStage<Page> list(String prefix, String cursor) {
        return blocking.run(() -> database.call("list of locks", on -> {
            requirePrimary(on);
            return page(on, prefix, cursor);
        }));
    }

    private Page page(Connection on, String prefix, String cursor) throws SQLException {
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement = on.prepareStatement(names)) {
            statement.setString(1, cursor);
            statement.setString(2, prefix);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(row.getString(1));
                }
            }
        }
        // Names in the order of their bytes: those with the prefix come first.
        boolean more =
                found.size() == MOST_ON_A_PAGE && found.get(MOST_ON_A_PAGE - 1).startsWith(prefix);
        String next = more ? found.get(MOST_ON_A_PAGE - 1) : "";
        return new Page(
                contents(
                        on,
                        found.stream().filter(name -> name.startsWith(prefix)).toList()),
                next);
    }

    @Override
    public CompletionStage<Optional<Content>> find(LockName name) {
        return blocking.run(() -> database.call("look at '" + name + "'", on -> {
            requirePrimary(on);
            return contents(on, List.of(name.value())).stream().findFirst();
        }));
    }

    /** A replica may be behind, and would show former holders. */
    private void requirePrimary(Connection on) throws SQLException {
        if (!Schema.text(on, "select pg_is_in_recovery()").equals("f")) {
            throw new BackendFailure(
                    Kind.UNAVAILABLE,
                    Outcome.NOT_APPLIED,
                    database.server() + " is a replica, which may be behind; connect to the primary",
                    null);
        }
    }

    private List<Content> contents(Connection on, List<String> names) throws SQLException {
        List<Content> contents = new ArrayList<>();
        try (PreparedStatement statement = on.prepareStatement(content)) {
            statement.setArray(1, on.createArrayOf("text", names.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                boolean left = row.next();
                while (left) {
                    LockName name = new LockName(row.getString("name"));
                    int capacity = row.getInt("weight");
                    long newest = row.getLong("token");
                    int waiting = row.getInt("waiting");
                    Instant now = instant(row);
                    List<Holder> holders = new ArrayList<>();
                    List<Waiter> waiters = new ArrayList<>();
                    for (left = row.next(); left && row.getInt("kind") > 0; left = row.next()) {
                        if (row.getInt("kind") == 1) {
                            holders.add(holder(row));
                        } else {
                            waiters.add(waiter(row));
                        }
                    }
                    if (!holders.isEmpty() || !waiters.isEmpty()) {
                        contents.add(new Content(name, capacity, holders, waiters, waiting, newest, now, List.of()));
                    }
                }
            }
        }
        return contents;
    }

    private static Instant instant(ResultSet row) throws SQLException {
        return Instant.EPOCH.plus(row.getLong("since"), ChronoUnit.MICROS);
    }

    private static Holder holder(ResultSet row) throws SQLException {
        State state = row.getString("state").equals("R")
                ? State.RETAINED
                : row.getBoolean("keeps") ? State.RECALLABLE : State.HELD;
        return new Holder(
                new HolderId(row.getString("id")),
                row.getLong("token"),
                row.getInt("weight"),
                state,
                row.getString("label"),
                Optional.of(instant(row)),
                Optional.of(Duration.of(row.getLong("micros"), ChronoUnit.MICROS)));
    }

    private static Waiter waiter(ResultSet row) throws SQLException {
        return new Waiter(
                new HolderId(row.getString("id")),
                row.getInt("weight"),
                row.getString("label"),
                Optional.of(instant(row)));
    }

    /** The holder gets a tombstone, since its client may repeat a request. */
    @Override
    public CompletionStage<Boolean> remove(LockName name, Holder holder) {
        String what = "removal of a holder of '" + name + "'";
        AtomicBoolean repeated = new AtomicBoolean();
        Database.Call<Boolean> call = on -> {
            try (PreparedStatement statement = on.prepareStatement(remove)) {
                statement.setString(1, name.value());
                statement.setString(2, holder.id().value());
                statement.setLong(3, holder.token());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        };
        return blocking.run(() -> {
            boolean removed = database.call(what, call, () -> repeated.set(true));
            if (!removed && repeated.get()) {
                throw PostgresFailures.lostReply(
                        database.server(), what, "the holder has no grant, and may have had one before");
            }
            return removed;
        });
    }
}
