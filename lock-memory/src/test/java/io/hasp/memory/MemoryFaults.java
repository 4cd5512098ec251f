package io.hasp.memory;

import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.servers.Server;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.opentest4j.TestAbortedException;

/** Breaks an in-memory server by way of its links: a server that is down, or stopped, answers nobody. */
final class MemoryFaults implements Faults {
    private final List<MemoryLink> links = new CopyOnWriteArrayList<>();
    private final MemoryServer server = new MemoryServer(new RealClock());

    MemoryLink link() {
        MemoryLink link = server.link();
        links.add(link);
        return link;
    }

    @Override
    public void deleteLock(String lock) {
        server.expire(lock);
    }

    @Override
    public int present(String lock) {
        return server.present(lock);
    }

    @Override
    public long kept() {
        return server.size();
    }

    @Override
    public void loseNotifications() {
        links.forEach(MemoryLink::loseSignals);
    }

    @Override
    public Server server() {
        return new Links();
    }

    private final class Links implements Server {
        @Override
        public void pause() {
            links.forEach(MemoryLink::partition);
        }

        @Override
        public void resume() {
            links.forEach(MemoryLink::heal);
        }

        @Override
        public void kill() {
            pause();
        }

        @Override
        public void stop() {
            pause();
        }

        @Override
        public void restart() {
            resume();
        }

        @Override
        public void restartWithoutData() {
            throw new TestAbortedException("its data is the server itself");
        }

        @Override
        public boolean running() {
            return links.stream().allMatch(link -> link.state() == MemoryLink.State.WHOLE);
        }

        @Override
        public void close() {
            resume();
        }
    }
}
