/** Metrics and observations of locks. */
module io.hasp.micrometer {
    requires transitive io.hasp;
    requires static org.jspecify;
    requires micrometer.core;
    requires micrometer.observation;

    exports io.hasp.micrometer;
}
