/** Tests of code that uses locks. JUnit is optional. */
module io.hasp.test {
    requires transitive io.hasp;
    requires io.hasp.memory;
    requires static org.jspecify;
    requires static org.junit.jupiter.api;
    requires static org.junit.platform.commons;

    exports io.hasp.test;
}
