/** The lock API and the backend contract; the engine between them is not exported. */
module io.hasp {
    // Not transitive: a module that requires this one is compiled without the annotations.
    requires static org.jspecify;
    // Without it there are no events for the flight recorder.
    requires static jdk.jfr;

    exports io.hasp;
    exports io.hasp.locked;
    exports io.hasp.locked.spi;
    exports io.hasp.spi;

    uses io.hasp.spi.LockBackendProvider;
}
