package io.hasp.redis.diagnosis;

import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the servers of one connection, one after the other. Used by one thread at a time. */
public final class ServiceDiagnosis {
    private static final String ADDRESS = "address";

    private final LockKeys keys;
    private final ServiceDemands demands;
    private final BackendContext context;
    private final String page;
    private final List<Pulse> pulses = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private int answered;

    /**
     * Checks nothing yet.
     *
     * @param page the page that explains the checks
     */
    public ServiceDiagnosis(LockKeys keys, ServiceDemands demands, BackendContext context, String page) {
        this.keys = keys;
        this.demands = demands;
        this.context = context;
        this.page = page;
    }

    /** Checks all servers of a connection, which stays open. */
    public void run(RedisConnection connection) {
        try {
            MessageCheck messages = new MessageCheck(connection, keys.channel(context.clientId()));
            connection.eachServer((server, hashTag) -> server(server, hashTag, messages, several(connection)));
        } catch (RuntimeException e) {
            unreachable(connection.server(), e);
        }
    }

    /** Names the servers if there are several, also those of other connections. */
    private boolean several(RedisConnection connection) {
        return demands.majority() || connection.servers().size() > 1;
    }

    private void server(RedisConnection server, String hashTag, MessageCheck messages, boolean several) {
        Findings found = new Findings(several ? server.server() : "", page);
        String unused = keys.unused(hashTag);
        ScriptRunner scripts = new ScriptRunner(server, context.timing());
        try {
            // First, so that a server that is down costs one timeout.
            ask(scripts, LockScript.CLOCK, unused, List.of());
            String channel = messages.subscribed();
            ServerFacts facts = ServerFacts.parse(ask(scripts, LockScript.FACTS, unused, List.of(channel)));
            found.ok(ADDRESS, server.server() + " answers");
            answered++;
            new ServerChecks(facts, demands, found).run();
            CommandCheck.run(facts, found);
            messages.run(facts, found);
            Pulse pulse = Pulse.of(scripts, unused, context.timing());
            pulses.add(pulse);
            ClockChecks.run(pulse, found);
            layout(server, found);
        } catch (RuntimeException e) {
            found.fail(ADDRESS, words(server.server(), e));
        }
        findings.addAll(found.list());
    }

    private static String ask(ScriptRunner scripts, LockScript script, String key, List<String> arguments) {
        return scripts.run(script, List.of(key), arguments)
                .toCompletableFuture()
                .join();
    }

    private void layout(RedisConnection server, Findings found) {
        try {
            LayoutCheck.run(server, keys, demands.majority(), found);
        } catch (RuntimeException e) {
            found.unknown("layout", words(server.server(), e));
        }
    }

    /** Adds the failure of a server to which there is no connection. */
    public void unreachable(String server, RuntimeException why) {
        Findings found = new Findings("", page);
        found.fail(ADDRESS, words(server, why));
        findings.addAll(found.list());
    }

    private static String words(String server, RuntimeException why) {
        BackendFailure failure = RedisFailures.atConnect(server, why);
        return Optional.ofNullable(failure.getMessage()).orElse(failure.kind().name());
    }

    /** Adds the answers of sentinels, by their addresses. */
    public void sentinels(Map<String, String> answers) {
        Findings found = new Findings("", page);
        SentinelCheck.run(answers, found);
        findings.addAll(found.list());
    }

    /** Adds the lack of a library that asks sentinels. */
    public void sentinelsUnknown() {
        Findings found = new Findings("", page);
        found.unknown("sentinels", "their quorum is checked through Jedis, which is not on the class path");
        findings.addAll(found.list());
    }

    /** Adds the number of servers that must answer. */
    public void requireMajority(int nodes, int majority) {
        Findings found = new Findings("", page);
        String text = answered + " of " + nodes + " nodes answer";
        if (answered < majority) {
            found.fail("majority", text + ": no lock can be taken without " + majority);
        } else if (answered < nodes) {
            found.warn(
                    "majority", text + ": locks work, and fail when " + (answered - majority + 1) + " more are down");
        } else {
            found.ok("majority", text);
        }
        findings.addAll(found.list());
    }

    /** Returns all findings, with a comparison of the servers' clocks. */
    public List<Finding> findings() {
        Findings found = new Findings("", page);
        ClockChecks.compare(pulses, demands.majority(), found);
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(found.list());
        return List.copyOf(all);
    }
}
