package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ServerCounters;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The servers of one comparison. */
public interface Servers extends AutoCloseable {

    /**
     * Starts what is needed: Redis servers that keep nothing on disk, three ZooKeeper servers that sync every change
     * to disk, each with its software's defaults otherwise.
     *
     * @param services which services to start
     * @param topology how Redis is arranged
     * @param distance how far they are from their clients; not from each other
     * @return servers that serve, stopped by closing this
     * @throws io.hasp.conformance.servers.ServerException if one does not come up
     */
    static Servers start(Set<Service> services, RedisTopology topology, Distance distance) {
        return StartedServers.start(services, topology, distance);
    }

    /**
     * Uses servers that the user runs, after a check that they can be reached and permit what a comparison does.
     * Everything written there has a random name in its key or path, and is removed when this is closed.
     *
     * @param backends where they are, one for each service
     * @return the servers, which go on running when this is closed
     * @throws BackendRefused if one can't be used; nothing is left on any
     * @throws InterruptedException if the thread was interrupted
     */
    static Servers given(List<Backend> backends) throws InterruptedException {
        return GivenServers.open(backends);
    }

    /**
     * Returns the servers' environment.
     *
     * @return their URIs, empty for a service that takes no part, with the usual profile
     */
    Environment environment();

    /**
     * Returns the topology of Redis.
     *
     * @return one server, unless others were started
     */
    default RedisTopology topology() {
        return RedisTopology.STANDALONE;
    }

    /**
     * Moves them nearer or farther while clients stay connected.
     *
     * @param to how far
     * @throws IllegalStateException if clients don't connect by proxies
     */
    default void move(Distance to) {
        throw new IllegalStateException("servers of the user stay where they are");
    }

    /**
     * Returns true if the servers were started for this comparison. It may break such servers, and all data there is
     * its own.
     *
     * @return false if the user runs them
     */
    boolean ours();

    /**
     * Returns the counters of a service's servers.
     *
     * @param service one of the services
     * @return the counters of its servers
     */
    ServerCounters counters(Service service);

    /**
     * Their name.
     *
     * @param service which of them
     * @return words for a heading, without credentials
     */
    String words(Service service);

    /**
     * Returns the versions of servers and client libraries.
     *
     * @return the version of each client library, and of each server that reports one
     */
    Map<String, String> versions();

    @Override
    void close();
}
