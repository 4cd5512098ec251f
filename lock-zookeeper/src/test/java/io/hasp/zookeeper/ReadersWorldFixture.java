package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Readers that share nodes, while the test serves, loses and answers each request. After each test nothing is left of them. */
public abstract class ReadersWorldFixture {
    @RegisterExtension
    static final ScriptedHandles HANDLES = new ScriptedHandles(2);

    public ReadersWorld world;

    @BeforeEach
    void begin() {
        world = new ReadersWorld(HANDLES.all());
    }

    @AfterEach
    void nothing_is_left() {
        world.releaseAll();
        assertThat(world.ownNodes()).isEmpty();
        assertThat(world.nothingIsKept()).isTrue();
    }

    public WorldReader holder() {
        WorldReader reader = world.reader(true);
        reader.call();
        world.settle();
        assertThat(reader.granted()).isTrue();
        return reader;
    }

    public WorldReader waiter() {
        WorldReader reader = world.reader(true);
        reader.call();
        world.settle();
        assertThat(reader.waits()).isTrue();
        return reader;
    }

    public WorldReader asking() {
        WorldReader reader = world.reader(true);
        reader.call();
        assertThat(reader.answered()).isFalse();
        return reader;
    }

    public void answer(int requests) {
        for (int i = 0; i < requests; i++) {
            assertThat(world.handle.serve()).isTrue();
            while (world.handle.deliver()) {}
        }
    }
}
