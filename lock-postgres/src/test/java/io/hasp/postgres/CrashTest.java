package io.hasp.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.PostgresServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A crash right after an answer undoes no grant, renewal or tombstone; only releases and refusals that granted nothing. */
@Timeout(120)
@InTier(Tier.STANDARD)
class CrashTest {
    private static final String HELD = "select count(*) from hasp_holder where name = 'a' and holder = '%s'";
    private static final String TAKE = "hasp_acquire('a', '%s', 60000, true, '', '', 4, 4, true, null)";

    private final PostgresServer server = PostgresServer.start();

    @BeforeEach
    void create() throws Exception {
        TestBackend.on(server).close();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Nothing but a commit that is waited for reaches the disk from now on. */
    private void onlyCommitsReachTheDisk() throws IOException, InterruptedException {
        server.run("checkpoint");
        long pid = server.run("select pid from pg_stat_activity where backend_type = 'walwriter'");
        new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor();
    }

    private void crash() {
        server.kill();
        server.restart();
    }

    private boolean held(String holder) {
        return server.run(HELD.formatted(holder)) == 1;
    }

    private void call(String functions) {
        server.run("select length(concat(" + functions + "))");
    }

    private void take(String holder) {
        call(TAKE.formatted(holder));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a grant | 1 | hasp_acquire('a', 'x', 60000, true, '', '', 4, 4, true, null) | x",
                "a grant to a waiter | hasp_acquire('a', 'y', 60000, true, '', '', 4, 4, true, null), hasp_acquire('a', 'x', 60000, true, '', '', 4, 4, true, null)"
                        + " | hasp_release('a', 'y', false) | x",
                "a transfer that is refused | hasp_acquire('a', 'y', 60000, true, '', '', 4, 4, true, null), hasp_acquire('a', 'x', 60000, true, '', '', 4, 4, true, null)"
                        + " | hasp_transfer('y', 'a', 'z', 60000, true, '', '', 4, 4, true) | x",
                "a transfer that is granted | hasp_acquire('a', 'y', 60000, true, '', '', 4, 4, true, null)"
                        + " | hasp_transfer('y', 'a', 'x', 60000, true, '', '', 4, 4, true) | x",
                "a refusal that serves the queue | hasp_acquire('a', 'y', 300, true, '', '', 4, 4, true, null), hasp_acquire('a', 'x', 60000, true, '', '', 4, 4, true, null), pg_sleep(0.4)"
                        + " | hasp_acquire('a', 'z', 60000, true, '', '', 4, 4, true, null) | x",
                "a hold that stays taken | hasp_acquire('a', 'x', 60000, true, '', '', 4, 4, true, null) | hasp_retain('a', 'x', 60000, false) | x-over",
            })
    void an_answer_survives(String what, String before, String call, String holder)
            throws IOException, InterruptedException {
        call(before);
        onlyCommitsReachTheDisk();
        call(call);
        crash();
        assertThat(held(holder)).as(what).isTrue();
    }

    @Test
    void a_renewal_survives() throws IOException, InterruptedException {
        take("x");
        onlyCommitsReachTheDisk();
        call("hasp_renew(array['a'], array['x'], array[600000::bigint], array[4], array[false])");
        crash();
        assertThat(server.run("select extract(epoch from expires - now())::bigint from hasp_holder where holder = 'x'"))
                .isGreaterThan(300);
    }

    @Test
    void a_tombstone_and_a_break_survive() throws IOException, InterruptedException {
        take("x");
        long token = server.run("select token from hasp_holder where holder = 'x'");
        onlyCommitsReachTheDisk();
        call("hasp_release('a', 'x', false, " + token + ")");
        crash();
        assertThat(held("x")).isFalse();

        onlyCommitsReachTheDisk();
        call("hasp_release('a', 'y', true)");
        crash();
        assertThat(server.run("select count(*) from hasp_tombstone where holder = 'y'"))
                .isOne();
    }

    @Test
    void a_release_may_be_undone_and_its_lock_is_free_when_its_lease_ends() throws IOException, InterruptedException {
        take("x");
        onlyCommitsReachTheDisk();
        call("hasp_release('a', 'x', false)");
        assertThat(held("x")).isFalse();
        crash();
        assertThat(held("x")).isTrue();

        onlyCommitsReachTheDisk();
        call("hasp_release('a', 'x', false)");
        take("y");
        crash();
        assertThat(held("x")).as("the grant after it has put it on the disk").isFalse();
        assertThat(held("y")).isTrue();
    }
}
