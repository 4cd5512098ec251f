/** Locks in memory, for tests. */
module io.hasp.memory {
    requires transitive io.hasp;
    requires static org.jspecify;

    exports io.hasp.memory;

    provides io.hasp.spi.LockBackendProvider with
            io.hasp.memory.MemoryProvider;
}
