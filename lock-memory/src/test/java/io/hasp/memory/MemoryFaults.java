package io.hasp.memory;

import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.servers.Server;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Breaks an in-memory server through its links: while it is down or stopped, it gives no answer. */
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
        return new LinkedServer(() -> links.forEach(MemoryLink::partition), () -> links.forEach(MemoryLink::heal));
    }
}
