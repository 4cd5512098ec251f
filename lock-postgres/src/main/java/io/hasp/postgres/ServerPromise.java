package io.hasp.postgres;

import io.hasp.spi.Capabilities;
import io.hasp.spi.Capabilities.Survives;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/** The promises that the settings of a server allow. */
final class ServerPromise {

    private ServerPromise() {}

    /** The promises of any server. */
    static Capabilities least(PostgresLocks locks) {
        Capabilities all = Capabilities.of(Capabilities.Ordering.FIFO, Capabilities.Enforcement.LEASE)
                .sharing()
                .retaining()
                .inspecting();
        return locks.listens() ? all.recalling() : all.polling();
    }

    /** The promises of the server that is connected now. */
    static Capabilities capabilities(Database database, PostgresLocks locks) {
        Set<Survives> survives = database.call("check of the settings", ServerPromise::survives);
        return least(locks).surviving(survives.toArray(Survives[]::new));
    }

    private static Set<Survives> survives(Connection on) throws SQLException {
        EnumSet<Survives> survives = EnumSet.noneOf(Survives.class);
        String commit = Schema.text(on, "show synchronous_commit");
        if (Schema.text(on, "show fsync").equals("on") && !commit.equals("off")) {
            survives.add(Survives.SERVER_RESTART);
            boolean replicates = commit.equals("on") || commit.equals("remote_apply");
            if (replicates && !Schema.text(on, "show synchronous_standby_names").isEmpty()) {
                survives.add(Survives.FAILOVER);
            }
        }
        return survives;
    }
}
