package io.hasp.conformance.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Three real ZooKeeper servers, each in a JVM of its own, that elect a leader. As a {@link Server} it is all three at once;
 * {@link #servers()} breaks them one by one.
 */
public final class ZooKeeperEnsemble implements Server {
    private static final int SIZE = 3;

    private final List<ZooKeeperServer> servers = new ArrayList<>();
    private final List<Integer> peerPorts = new ArrayList<>();

    private ZooKeeperEnsemble(List<String> options) {
        List<Integer> clientPorts = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (int id = 1; id <= SIZE; id++) {
            int quorum = Ports.free();
            int election = Ports.free();
            peerPorts.addAll(List.of(quorum, election));
            clientPorts.add(Ports.free());
            lines.add("server." + id + "=127.0.0.1:" + quorum + ":" + election);
        }
        lines.addAll(options);
        for (int id = 1; id <= SIZE; id++) {
            servers.add(ZooKeeperServer.member(clientPorts.get(id - 1), id, List.copyOf(lines)));
        }
    }

    /**
     * Starts three servers at once.
     *
     * @param options lines of each server's configuration file, such as {@code "tickTime=200"}; they outrank ours
     * @return an ensemble in which every server serves
     * @throws ServerException if it does not come up; says what a server's log says
     */
    public static ZooKeeperEnsemble start(String... options) {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(List.of(options));
        try {
            ensemble.awaitServing();
            return ensemble;
        } catch (ServerException e) {
            ensemble.close();
            throw e;
        }
    }

    /**
     * Waits until every running server serves.
     *
     * @throws ServerException if one does not within a minute
     */
    public void awaitServing() {
        for (ZooKeeperServer server : servers) {
            if (server.running()) {
                server.awaitServing();
            }
        }
    }

    /**
     * The servers, to be broken one by one.
     *
     * @return all three, running or not
     */
    public List<ZooKeeperServer> servers() {
        return List.copyOf(servers);
    }

    /**
     * Returns the current leader.
     *
     * @return the leader, according to the servers
     * @throws ServerException if no server reports that it leads
     */
    public ZooKeeperServer leader() {
        return theOneThatIs("leader");
    }

    /**
     * Returns a follower, always the same one while no fault is active.
     *
     * @return the first follower, according to the servers
     * @throws ServerException if no server reports that it follows
     */
    public ZooKeeperServer follower() {
        return theOneThatIs("follower");
    }

    private ZooKeeperServer theOneThatIs(String mode) {
        return servers.stream()
                .filter(ZooKeeperServer::running)
                .filter(server -> server.mode().filter(mode::equals).isPresent())
                .findFirst()
                .orElseThrow(() -> new ServerException("the ensemble has no " + mode, null));
    }

    /**
     * Returns the connect string for clients.
     *
     * @return all three addresses, separated by commas
     */
    public String connectString() {
        return servers.stream().map(ZooKeeperServer::connectString).collect(Collectors.joining(","));
    }

    /** Two that are left for a moment would go on serving. */
    private void atOnce(Consumer<ZooKeeperServer> fault) {
        servers.parallelStream().forEach(fault);
    }

    @Override
    public void pause() {
        atOnce(ZooKeeperServer::pause);
    }

    @Override
    public void resume() {
        servers.forEach(ZooKeeperServer::resume);
    }

    @Override
    public void kill() {
        atOnce(ZooKeeperServer::kill);
    }

    @Override
    public void stop() {
        servers.forEach(ZooKeeperServer::stop);
    }

    @Override
    public void restart() {
        stop();
        servers.forEach(ZooKeeperServer::restart);
        awaitServing();
    }

    @Override
    public void restartWithoutData() {
        kill();
        servers.forEach(ZooKeeperServer::restartWithoutData);
        awaitServing();
    }

    /** {@inheritDoc} Here: any of the three. */
    @Override
    public boolean running() {
        return servers.stream().anyMatch(ZooKeeperServer::running);
    }

    /** Ends all three and deletes their folders. Idempotent. */
    @Override
    public void close() {
        servers.forEach(ZooKeeperServer::close);
        peerPorts.forEach(Ports::giveBack);
    }
}
