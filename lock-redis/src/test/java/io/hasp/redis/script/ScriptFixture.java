package io.hasp.redis.script;

import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A real server for a test class. Each test has a client of it, and begins with an empty server. */
abstract class ScriptFixture {
    static RedisServer server;
    ScriptClient lua;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() throws IOException {
        lua = new ScriptClient(server);
    }

    @AfterEach
    void disconnect() {
        lua.close();
    }
}
