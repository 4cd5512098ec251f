package io.hasp.redis.diagnosis;

import io.hasp.spi.Finding;
import io.hasp.spi.Finding.Level;
import java.util.ArrayList;
import java.util.List;

/** Collects the findings about one server. Used by one thread at a time. */
final class Findings {
    private final String where;
    private final String page;
    private final List<Finding> all = new ArrayList<>();

    /**
     * Collects none yet.
     *
     * @param where the server, put before each text; empty if there is one server only
     * @param page the page that explains the checks
     */
    Findings(String where, String page) {
        this.where = where;
        this.page = page;
    }

    void ok(String check, String text) {
        add(Level.OK, check, text);
    }

    void warn(String check, String text) {
        add(Level.WARN, check, text);
    }

    void fail(String check, String text) {
        add(Level.FAIL, check, text);
    }

    void unknown(String check, String text) {
        add(Level.UNKNOWN, check, text);
    }

    void add(Level level, String check, String text) {
        all.add(new Finding(level, check, where.isEmpty() ? text : where + ": " + text, page));
    }

    List<Finding> list() {
        return List.copyOf(all);
    }
}
