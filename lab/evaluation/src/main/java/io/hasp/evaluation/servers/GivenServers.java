package io.hasp.evaluation.servers;

import io.hasp.evaluation.measure.ServerCounters;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Servers that the user runs. A comparison writes only below a key prefix or a path of its own. */
final class GivenServers implements Servers {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<Service, Backend> backends = new EnumMap<>(Service.class);
    private final Map<Service, GivenService> services = new EnumMap<>(Service.class);
    private final String scope;

    private GivenServers(List<Backend> given, String scope) {
        this.scope = scope;
        for (Backend backend : given) {
            backends.put(backend.service(), backend);
            services.put(backend.service(), service(backend));
        }
    }

    static GivenServers open(List<Backend> backends) throws InterruptedException {
        String drawn = Long.toString(RANDOM.nextLong() & Long.MAX_VALUE, Character.MAX_RADIX);
        GivenServers servers = new GivenServers(backends, Environment.SCOPE + "-" + drawn);
        List<GivenService> checked = new ArrayList<>();
        boolean accepted = false;
        try {
            for (GivenService service : servers.services.values()) {
                service.check();
                checked.add(service);
            }
            accepted = true;
            return servers;
        } finally {
            if (!accepted) {
                checked.forEach(GivenServers::tidyQuietly);
            }
        }
    }

    private GivenService service(Backend backend) {
        String uri = backend.within(scope);
        return switch (backend.service()) {
            case REDIS -> new GivenRedis(List.of(RedisEndpoint.of(uri)), scope);
            case REDLOCK -> new GivenRedis(RedisEndpoint.each(uri), scope);
            case ZOOKEEPER -> new GivenZooKeeper(ZooKeeperEndpoint.of(uri));
            case POSTGRES -> new GivenPostgres(PostgresEndpoint.of(uri));
        };
    }

    @Override
    public Environment environment() {
        return new Environment(
                uri(Service.REDIS),
                uri(Service.REDLOCK),
                uri(Service.ZOOKEEPER),
                uri(Service.POSTGRES),
                ClientProfile.USUAL,
                "");
    }

    private String uri(Service service) {
        Backend backend = backends.get(service);
        return backend == null ? "" : backend.within(scope);
    }

    @Override
    public boolean ours() {
        return false;
    }

    @Override
    public ServerCounters counters(Service service) {
        return Objects.requireNonNull(services.get(service)).counters();
    }

    @Override
    public String words(Service service) {
        Backend backend = backends.get(service);
        return backend == null ? service.title() : service.title() + " at " + backend.address();
    }

    @Override
    public Map<String, String> versions() {
        Versions versions = new Versions();
        services.values().forEach(service -> service.addVersions(versions));
        return versions.all();
    }

    /** Ignores failures: what is reported is why another server can't be used. */
    private static void tidyQuietly(GivenService service) {
        try {
            service.tidy();
        } catch (Exception e) {
            return;
        }
    }

    /**
     * Removes what the comparison wrote, also after Ctrl-C: the interrupt is set again at the end.
     *
     * @throws BackendRefused if something may be left; the message names the server and the name to look for
     */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        BackendRefused refused = null;
        for (Map.Entry<Service, GivenService> each : services.entrySet()) {
            try {
                each.getValue().tidy();
            } catch (Exception e) {
                String where = words(each.getKey());
                refused = new BackendRefused(
                        "could not tidy up " + where + ": what has " + scope + " in its name is left there: "
                                + e.getMessage(),
                        e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (refused != null) {
            throw refused;
        }
    }
}
