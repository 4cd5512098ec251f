package io.hasp.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.util.function.Function;
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

    /** The scripts with another text in place of one that at least one of them has. */
    static Function<LockScript, String> changed(
            Function<LockScript, String> texts, String original, String replacement) {
        assertThat(LockScript.values())
                .as("scripts with the text %s", original)
                .anyMatch(script -> texts.apply(script).contains(original));
        return script -> texts.apply(script).replace(original, replacement);
    }

    @AfterEach
    void disconnect() {
        lua.close();
    }
}
