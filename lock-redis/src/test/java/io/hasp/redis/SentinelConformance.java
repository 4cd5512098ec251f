package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.RedisFaults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.HaspSubjectFactory;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.servers.SentinelServers;
import io.hasp.redis.RedisConfig.Library;
import io.hasp.redis.script.LockKeys;
import io.hasp.spi.LockName;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * Runs the rules on the master that sentinels name. The scripts are those of one server, so the standard tier runs only the rules that the
 * way to the server may break. The rules about a network are left out, because sentinels report the address of the server itself, not of a
 * proxy before it.
 */
interface SentinelConformance extends HaspConformance {

    /** Rules that depend on the way to the server: sockets, messages, timeouts, restarts. */
    Set<String> STANDARD = Set.of(
            "fa9_client_goes_on_after_its_server_was_killed_and_started_again",
            "fe3_token_after_a_restart_without_data_is_larger",
            "ke2_waiter_gets_a_lock_that_is_only_kept",
            "ke10_keeper_whose_connection_is_lost_does_not_use_or_keep_what_it_kept",
            "li3_waiter_wakes_when_the_notification_is_lost",
            "li6_waiting_clients_are_served_in_the_order_in_which_they_asked",
            "li7_release_wakes_one_waiter_at_the_same_cost_however_many_wait",
            "me2_recorded_holds_never_overlap",
            "rw1_recorded_holds_of_readers_and_writers_never_conflict");

    SentinelServers servers();

    Library library();

    /** Many start at once: connecting may take a busy machine longer than a command should. */
    private String uri(String timeout) {
        return "redis-sentinel://" + servers().addresses() + "?sentinelMasterId=" + SentinelServers.MASTER_ID
                + "&commandTimeout=" + timeout + "&connection="
                + library().name().toLowerCase(Locale.ROOT);
    }

    @Override
    default HaspSubject subject() {
        String name = "hasp-sentinel-" + library().name().toLowerCase(Locale.ROOT);
        return HaspSubject.at(name, uri("5s"), Claimed.FIFO, Claimed.TOKEN_AFTER_DATA_LOSS)
                .sharing();
    }

    @Override
    default Faults faults() {
        return new RedisFaults(servers().master(), SentinelConformance::key, name -> key(name) + ":q");
    }

    private static String key(String name) {
        return new LockKeys(RedisLocks.DEFAULT_KEY_PREFIX).lock(new LockName(name));
    }

    @Override
    default ClientJvm process(String name) {
        return process(name, "");
    }

    private ClientJvm process(String name, String more) {
        return ClientJvm.start(name, HaspSubjectFactory.class, uri("10s") + more);
    }

    @Override
    default CrashableClient crashableKeeper(String name, Duration keep) {
        return process(name, "&keep=" + keep.toMillis() + "ms");
    }

    @Override
    default Tier tierOf(String rule) {
        return REPRESENTATIVE.contains(rule) ? Tier.FAST : STANDARD.contains(rule) ? Tier.STANDARD : Tier.FULL;
    }

    @Override
    default Set<String> skips() {
        return Set.of("no network before this subject", "no client processes for this subject");
    }
}
