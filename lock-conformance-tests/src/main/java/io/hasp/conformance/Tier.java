package io.hasp.conformance;

/**
 * How thorough a run is: the quick one belongs to every build, the full one takes its time. The system property
 * {@code hasp.tier} chooses, {@code quick} if it is not set.
 */
public enum Tier {
    /** A few seconds for a rule. */
    QUICK,
    /** More clients, more rounds, more kills. */
    FULL;

    /** The system property that chooses. */
    public static final String PROPERTY = "hasp.tier";

    private static final Tier CURRENT = "full".equals(System.getProperty(PROPERTY, "quick")) ? FULL : QUICK;

    /**
     * The tier of this run.
     *
     * @return the same for the life of the JVM
     */
    public static Tier current() {
        return CURRENT;
    }

    /**
     * How many of something.
     *
     * @param quick in the quick tier
     * @param full in the full tier
     * @return the one of this run
     */
    public static int count(int quick, int full) {
        return CURRENT == FULL ? full : quick;
    }
}
