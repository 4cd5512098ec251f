package io.hasp.postgres;

import io.hasp.spi.Claim;
import io.hasp.spi.Grant;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls the functions of one schema, each in one round trip and one transaction. Thread-safe. */
final class LockCalls {
    private final Database database;
    private final String acquire;
    private final String transfer;
    private final String release;
    private final String retain;
    private final String renew;
    private final String raise;
    private final String clean;

    LockCalls(Database database, Schema schema) {
        this.database = database;
        this.acquire = schema.sql("select * from public.hasp_acquire(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        this.transfer = schema.sql("select * from public.hasp_transfer(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        this.release = schema.sql("select public.hasp_release(?, ?, ?)");
        this.retain = schema.sql("select public.hasp_retain(?, ?, ?, ?)");
        this.renew = schema.sql("select public.hasp_renew(?, ?, ?, ?, ?)");
        this.raise = schema.sql("select public.hasp_raise(?, ?)");
        this.clean = schema.sql("select public.hasp_clean(?, ?)");
    }

    /**
     * The answer to a request for a lock.
     *
     * @param word GRANTED, BUSY, GONE, or KIND
     * @param token of the grant; the newest of the lock; or its capacity
     * @param pollMillis the time until the next request of a refused one
     * @param ticket the place in the queue; null without one
     * @param noted true if a grant may be kept, or a refusal has recalled it
     */
    record Answer(
            String word,
            long token,
            long pollMillis,
            @Nullable Long ticket,
            boolean noted) {
        static Answer of(ResultSet row) throws SQLException {
            long ticket = row.getLong("o_ticket");
            @Nullable Long place = row.wasNull() ? null : ticket;
            return new Answer(
                    String.valueOf(row.getString("o_answer")),
                    row.getLong("o_token"),
                    row.getLong("o_poll"),
                    place,
                    row.getBoolean("o_noted"));
        }
    }

    /** The answers to a release and to the request that came with it. */
    record Transferred(boolean released, Answer answer) {}

    /** Runs {@code onRepeat} before the request is sent a second time. */
    Answer acquire(Claim claim, String channel, boolean keeps, @Nullable Long ticket, Runnable onRepeat) {
        Database.Call<Answer> call = on -> {
            try (PreparedStatement statement = on.prepareStatement(acquire)) {
                int next = request(statement, 1, claim, channel, keeps);
                if (ticket == null) {
                    statement.setNull(next, Types.BIGINT);
                } else {
                    statement.setLong(next, ticket);
                }
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return Answer.of(row);
                }
            }
        };
        return database.call("acquire of '" + claim.name() + "'", call, onRepeat);
    }

    /** As {@link #acquire}; fails as a release does if the first of two requests may have ended the hold. */
    Transferred transfer(Claim from, Claim to, String channel, boolean keeps, Runnable onRepeat) {
        Database.Call<Transferred> call = on -> {
            try (PreparedStatement statement = on.prepareStatement(transfer)) {
                statement.setString(1, from.holder().value());
                request(statement, 2, to, channel, keeps);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return new Transferred(row.getBoolean("o_released"), Answer.of(row));
                }
            }
        };
        return database.call("transfer of '" + to.name() + "'", call, onRepeat);
    }

    private static int request(PreparedStatement statement, int first, Claim claim, String channel, boolean keeps)
            throws SQLException {
        int at = first;
        statement.setString(at++, claim.name().value());
        statement.setString(at++, claim.holder().value());
        statement.setLong(at++, ServerLease.millis(claim));
        statement.setBoolean(at++, claim.queue());
        statement.setString(at++, channel);
        statement.setString(at++, claim.label());
        statement.setInt(at++, claim.share().weight());
        statement.setInt(at++, claim.share().capacity());
        statement.setBoolean(at++, keeps);
        return at;
    }

    /** Runs {@code onRepeat} before the request is sent a second time, as {@link #acquire}. */
    boolean release(Claim claim, boolean bury, Runnable onRepeat) {
        return flag(
                "release of '" + claim.name() + "'",
                release,
                statement -> {
                    statement.setString(1, claim.name().value());
                    statement.setString(2, claim.holder().value());
                    statement.setBoolean(3, bury);
                },
                onRepeat);
    }

    /** As {@link #release}. */
    boolean retain(Claim claim, boolean bury, Runnable onRepeat) {
        return flag(
                "release of '" + claim.name() + "'",
                retain,
                statement -> {
                    statement.setString(1, claim.name().value());
                    statement.setString(2, claim.holder().value());
                    statement.setLong(3, ServerLease.millis(claim));
                    statement.setBoolean(4, bury);
                },
                onRepeat);
    }

    /** Returns false, and raises nothing, while a client may keep the lock. */
    boolean raise(String name, long floor) {
        return flag(
                "token floor of '" + name + "'",
                raise,
                statement -> {
                    statement.setString(1, name);
                    statement.setLong(2, floor);
                },
                () -> {});
    }

    /** Sets the arguments of a statement. */
    @FunctionalInterface
    private interface Arguments {
        void of(PreparedStatement statement) throws SQLException;
    }

    private boolean flag(String what, String sql, Arguments arguments, Runnable onRepeat) {
        Database.Call<Boolean> call = on -> {
            try (PreparedStatement statement = on.prepareStatement(sql)) {
                arguments.of(statement);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return row.getBoolean(1);
                }
            }
        };
        return database.call(what, call, onRepeat);
    }

    /** Returns one answer for each grant: true if it was prolonged. */
    Boolean[] renew(List<Grant> held) {
        String what = held.size() == 1
                ? "renewal of '" + held.get(0).claim().name() + "'"
                : "renewal of " + held.size() + " locks";
        return database.call(what, on -> {
            try (PreparedStatement statement = on.prepareStatement(renew)) {
                List<Claim> claims = held.stream().map(Grant::claim).toList();
                statement.setArray(
                        1,
                        array(
                                on,
                                "text",
                                claims.stream().map(claim -> claim.name().value())));
                statement.setArray(
                        2,
                        array(
                                on,
                                "text",
                                claims.stream().map(claim -> claim.holder().value())));
                statement.setArray(3, array(on, "bigint", claims.stream().map(ServerLease::millis)));
                statement.setArray(
                        4,
                        array(
                                on,
                                "integer",
                                claims.stream().map(claim -> claim.share().weight())));
                statement.setArray(5, array(on, "boolean", claims.stream().map(Claim::keeps)));
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return (Boolean[]) row.getArray(1).getArray();
                }
            }
        });
    }

    private static Array array(Connection on, String type, java.util.stream.Stream<?> values) throws SQLException {
        return on.createArrayOf(type, values.toArray());
    }

    /** The server in words. */
    String server() {
        return database.server();
    }

    /** Deletes unused rows of some names behind one; returns the last of these names, or an empty one at the end. */
    String clean(String behind, int count) {
        return database.call("removal of unused rows", on -> {
            try (PreparedStatement statement = on.prepareStatement(clean)) {
                statement.setString(1, behind);
                statement.setInt(2, count);
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    return String.valueOf(row.getString(1));
                }
            }
        });
    }
}
