/** The lock API and the backend contract; the engine between them is not exported. */
module io.hasp {
    requires static transitive org.jspecify;

    exports io.hasp;
    exports io.hasp.spi;

    uses io.hasp.spi.LockBackendProvider;
}
