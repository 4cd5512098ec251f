package io.hasp.conformance;

import java.util.Locale;

/**
 * The thoroughness of a run. The system property {@code hasp.tier} selects it by its name in lower case; the default is
 * {@code fast}, and any other value is rejected. Each tier includes the tests of the tiers before it.
 */
public enum Tier {
    /** {@code mvn verify}: each rule once per kind of backend, in minutes. */
    FAST,
    /** {@code mvn verify -Pstandard}: all client libraries and topologies, the torture and most mutants. */
    STANDARD,
    /** {@code mvn verify -Pfull}: more clients, more rounds, more kills. */
    FULL;

    /** The system property that selects the tier. */
    public static final String PROPERTY = "hasp.tier";

    private static final Tier CURRENT = named(System.getProperty(PROPERTY, "fast"));

    /**
     * Returns the tier of this run.
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
     * Returns true if this run includes the tests of a tier.
     *
     * @param least the tier that a test belongs to
     * @return true if this run is of that tier or a more thorough one
     */
    public static boolean includes(Tier least) {
        return CURRENT.compareTo(least) >= 0;
    }

    /**
     * Selects a number by tier.
     *
     * @param few the number in the fast and the standard tier
     * @param many the number in the full tier
     * @return the number for this run
     */
    public static int count(int few, int many) {
        return count(few, few, many);
    }

    /**
     * Selects a number by tier.
     *
     * @param fast the number in the fast tier
     * @param standard the number in the standard tier
     * @param full the number in the full tier
     * @return the number for this run
     */
    public static int count(int fast, int standard, int full) {
        return switch (CURRENT) {
            case FAST -> fast;
            case STANDARD -> standard;
            case FULL -> full;
        };
    }

    /** Returns the name in the form of the system property and the Maven profile. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
