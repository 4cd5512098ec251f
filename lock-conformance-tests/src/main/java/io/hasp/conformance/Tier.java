package io.hasp.conformance;

import java.util.Locale;

/**
 * How thorough a run is. The system property {@code hasp.tier} chooses, {@code fast} if it is not set; any other value than
 * a tier's name in small letters is refused. Each tier has the tests of the ones before it.
 */
public enum Tier {
    /** {@code mvn verify}: each rule once for each kind of backend, in minutes. */
    FAST,
    /** {@code mvn verify -Pstandard}: all client libraries and topologies, the torture and most mutants. */
    STANDARD,
    /** {@code mvn verify -Pfull}: more clients, more rounds, more kills. */
    FULL;

    /** The system property that chooses. */
    public static final String PROPERTY = "hasp.tier";

    private static final Tier CURRENT = named(System.getProperty(PROPERTY, "fast"));

    /**
     * The tier of this run.
     *
     * @return the same for the life of the JVM
     */
    public static Tier current() {
        return CURRENT;
    }

    private static Tier named(String name) {
        for (Tier tier : values()) {
            if (tier.toString().equals(name)) {
                return tier;
            }
        }
        throw new IllegalArgumentException(PROPERTY + "=" + name + " is no tier: it is fast, standard or full");
    }

    /**
     * Whether this run has the tests of a tier.
     *
     * @param least the tier that a test belongs to
     * @return true if this run is of that tier or a more thorough one
     */
    public static boolean includes(Tier least) {
        return CURRENT.compareTo(least) >= 0;
    }

    /**
     * How many of something.
     *
     * @param few in the fast and the standard tier
     * @param many in the full tier
     * @return the one of this run
     */
    public static int count(int few, int many) {
        return count(few, few, many);
    }

    /**
     * How many of something.
     *
     * @param fast in the fast tier
     * @param standard in the standard tier
     * @param full in the full tier
     * @return the one of this run
     */
    public static int count(int fast, int standard, int full) {
        return switch (CURRENT) {
            case FAST -> fast;
            case STANDARD -> standard;
            case FULL -> full;
        };
    }

    /** The name as the system property and the Maven profile have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
