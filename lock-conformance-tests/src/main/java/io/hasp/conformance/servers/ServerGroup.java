package io.hasp.conformance.servers;

import java.util.List;

/**
 * Several servers that serve as one: what is done to it is done to each of them.
 *
 * @param serves waits until they serve again after a start
 */
record ServerGroup(List<? extends Server> servers, Runnable serves) implements Server {

    @Override
    public void pause() {
        servers.forEach(Server::pause);
    }

    @Override
    public void resume() {
        servers.forEach(Server::resume);
    }

    @Override
    public void kill() {
        servers.forEach(Server::kill);
    }

    @Override
    public void stop() {
        servers.forEach(Server::stop);
    }

    @Override
    public void restart() {
        servers.forEach(Server::restart);
        serves.run();
    }

    @Override
    public void restartWithoutData() {
        servers.forEach(Server::restartWithoutData);
        serves.run();
    }

    @Override
    public boolean running() {
        return servers.stream().anyMatch(Server::running);
    }

    @Override
    public void close() {
        servers.forEach(Server::close);
    }
}
