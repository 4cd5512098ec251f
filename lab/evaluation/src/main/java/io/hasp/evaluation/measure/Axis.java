package io.hasp.evaluation.measure;

/** The quantity that differs from point to point of a curve. */
public enum Axis {
    /** The workload is a point of no curve. */
    NONE("", ""),
    /** The time that a round trip takes in addition to one on this machine. */
    ROUND_TRIP("round trip", "ms"),
    /** Threads that want one name. */
    WAITERS("threads that want one name", ""),
    /** Names that are taken again and again. */
    NAMES("names taken again and again", ""),
    /** Names that were used before, each once. */
    FRESH("names used before, each once", ""),
    /** The time of a hold. */
    HOLD("hold", "ms"),
    /** Locks that a client holds at the same time. */
    HELD("locks held", ""),
    /** Requests that arrive, whether or not the ones before were served. */
    RATE("requests that arrive", "per second");

    private final String title;
    private final String unit;

    Axis(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /**
     * Returns the quantity, in words.
     *
     * @return empty for {@link #NONE}
     */
    public String title() {
        return title;
    }

    /**
     * Returns the unit.
     *
     * @return empty for a bare number
     */
    public String unit() {
        return unit;
    }
}
