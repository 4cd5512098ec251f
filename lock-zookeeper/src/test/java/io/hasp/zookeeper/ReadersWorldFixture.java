package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Readers that share nodes, while the test serves, loses and answers each request. After each test nothing is left of them. */
abstract class ReadersWorldFixture {
    private static ServerSocket silent;
    private static ScriptedHandle[] handles;
    ReadersWorld world;

    @BeforeAll
    static void listen() throws IOException {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        handles = new ScriptedHandle[] {ScriptedHandle.to(silent, 1), ScriptedHandle.to(silent, 2)};
    }

    @AfterAll
    static void close() throws Exception {
        silent.close();
        for (ScriptedHandle handle : handles) {
            handle.close();
        }
    }

    @BeforeEach
    void begin() {
        world = new ReadersWorld(handles);
    }

    @AfterEach
    void nothing_is_left() {
        world.releaseAll();
        assertThat(world.ownNodes()).isEmpty();
        assertThat(world.nothingIsKept()).isTrue();
    }

    WorldReader holder() {
        WorldReader reader = world.reader(true);
        reader.call();
        world.settle();
        assertThat(reader.granted()).isTrue();
        return reader;
    }

    WorldReader waiter() {
        WorldReader reader = world.reader(true);
        reader.call();
        world.settle();
        assertThat(reader.waits()).isTrue();
        return reader;
    }

    WorldReader asking() {
        WorldReader reader = world.reader(true);
        reader.call();
        assertThat(reader.answered()).isFalse();
        return reader;
    }

    void answer(int requests) {
        for (int i = 0; i < requests; i++) {
            assertThat(world.handle.serve()).isTrue();
            while (world.handle.deliver()) {}
        }
    }
}
