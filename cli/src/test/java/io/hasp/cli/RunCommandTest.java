package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exit codes, streams, environment and signals of {@code hasp run}. */
class RunCommandTest {
    private static RedisServer redis;
    private static LockClient locks;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        locks = LockClient.connect(redis.uri());
    }

    @AfterAll
    static void stop() {
        locks.close();
        redis.close();
    }

    private static HaspProcess run(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "run";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return HaspProcess.start(redis.uri(), all);
    }

    @ParameterizedTest
    @CsvSource({"exit 3, 3", "kill -KILL $$, 137"})
    void the_exit_code_is_that_of_the_command(String script, int code) {
        try (HaspProcess hasp = run("code", "--", "sh", "-c", script)) {
            assertThat(hasp.exit()).isEqualTo(code);
            assertThat(hasp.err()).isEmpty();
        }
    }

    @Test
    void a_command_that_is_not_found_or_no_program_ends_with_127_or_126() {
        try (HaspProcess missing = run("found", "--", "no-such-command");
                HaspProcess noProgram = run("program", "--", "/etc/passwd")) {
            assertThat(missing.exit()).isEqualTo(127);
            assertThat(missing.err()).isEqualTo("hasp: no-such-command: not found\n");
            assertThat(noProgram.exit()).isEqualTo(126);
            assertThat(noProgram.err()).contains("/etc/passwd");
        }
    }

    @Test
    void streams_environment_and_arguments_reach_the_command() {
        String script = "cat; echo \"$HASP_LOCK $HASP_TOKEN $1\"; echo oops >&2";
        try (HaspProcess hasp = HaspProcess.start(
                redis.uri(),
                "input\n",
                UnaryOperator.identity(),
                "run",
                "streams",
                "--",
                "sh",
                "-c",
                script,
                "x",
                "-n")) {
            assertThat(hasp.exit()).isZero();
            assertThat(hasp.out()).matches("input\nstreams [0-9]+ -n\n");
            assertThat(hasp.err()).isEqualTo("oops\n");
        }
    }

    @Test
    void the_token_is_that_of_the_lease_and_the_lock_is_free_at_the_end() {
        try (HaspProcess hasp = run("token", "--", "sh", "-c", "echo $HASP_TOKEN")) {
            assertThat(hasp.exit()).isZero();
            Optional<Lease> next = locks.lock("token").tryAcquire();
            assertThat(next).isPresent();
            assertThat(next.get().fencingToken())
                    .isGreaterThan(Long.parseLong(hasp.out().strip()));
            next.get().release();
        }
    }

    @Test
    void a_busy_lock_ends_with_1_or_the_code_of_E_and_the_command_does_not_run() throws Exception {
        try (Lease held = locks.lock("busy").acquire();
                HaspProcess now = run("-n", "busy", "--", "echo", "ran");
                HaspProcess later = run("-w", "0.3", "-E", "9", "busy", "--", "echo", "ran")) {
            assertThat(now.exit()).isEqualTo(1);
            assertThat(now.err()).isEqualTo("hasp: lock 'busy' is busy\n");
            assertThat(later.exit()).isEqualTo(9);
            assertThat(now.out() + later.out()).isEmpty();
            assertThat(held.state()).isEqualTo(io.hasp.LeaseState.HELD);
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void without_n_and_w_it_waits_for_the_lock() throws Exception {
        Lease held = locks.lock("waits").acquire();
        try (HaspProcess hasp = run("waits", "--", "echo", "ran")) {
            await().until(() -> locks.inspector().lock("waits").orElseThrow().waiting() == 1);
            assertThat(hasp.out()).isEmpty();
            held.release();
            int exit = hasp.exit();
            assertThat(exit).as(hasp.err()).isZero();
            assertThat(hasp.out()).isEqualTo("ran\n");
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void shared_locks_and_permits_are_held_together() {
        try (HaspProcess reader = run("-s", "readers", "--", "sleep", "30");
                HaspProcess permit = run("--permits", "1/2", "pool", "--", "sleep", "30")) {
            await().until(() -> locks.inspector().lock("readers").isPresent());
            await().until(() -> locks.inspector().lock("pool").isPresent());
            try (HaspProcess otherReader = run("-n", "-s", "readers", "--", "true");
                    HaspProcess writer = run("-n", "-x", "readers", "--", "true");
                    HaspProcess otherPermit = run("-n", "--permits", "1/2", "pool", "--", "true");
                    HaspProcess bothPermits = run("-n", "--permits", "2/2", "pool", "--", "true")) {
                assertThat(otherReader.exit()).isZero();
                assertThat(writer.exit()).isEqualTo(1);
                assertThat(otherPermit.exit()).isZero();
                assertThat(bothPermits.exit()).isEqualTo(1);
            }
            reader.signal("TERM");
            permit.signal("TERM");
            assertThat(reader.exit()).isEqualTo(143);
            assertThat(permit.exit()).isEqualTo(143);
        }
    }

    @ParameterizedTest
    @CsvSource({"HUP, 129"})
    void a_signal_reaches_each_process_of_the_command(String name, int code) {
        String script =
                "bash -c 'trap \"echo child; exit\" " + name + "; echo ready; while :; do sleep 0.05; done' & wait";
        try (HaspProcess hasp = run("signals" + name, "--", "bash", "-c", script)) {
            await().until(() -> hasp.out().contains("ready"));
            hasp.signal(name);
            assertThat(hasp.exit()).isEqualTo(code);
            await().until(() -> hasp.out().contains("child"));
            assertThat(locks.lock("signals" + name).tryAcquire()).isPresent();
        }
    }

    @Test
    void an_interrupt_ends_the_command_with_130() {
        // A job of a shell in the background ignores the signal.
        UnaryOperator<List<String>> notIgnored = command -> {
            List<String> all = new ArrayList<>(List.of("env", "--default-signal=INT"));
            all.addAll(command);
            return all;
        };
        String[] arguments = {"run", "interrupt", "--", "bash", "-c", "echo ready; exec sleep 30"};
        try (HaspProcess hasp = HaspProcess.start(redis.uri(), "", notIgnored, arguments)) {
            await().until(() -> hasp.out().contains("ready"));
            hasp.signal("INT");
            assertThat(hasp.exit()).isEqualTo(130);
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void each_of_two_signals_reaches_the_command() {
        String counting = "n=0; trap 'n=$((n+1)); echo term$n; [ $n -lt 2 ] || exit 44' TERM; echo up;"
                + " while :; do sleep 0.02; done";
        try (HaspProcess hasp = run("twice", "--", "bash", "-c", counting)) {
            await().until(() -> hasp.out().contains("up"));
            hasp.signal("TERM");
            await().until(() -> hasp.out().contains("term1"));
            hasp.signal("TERM");
            assertThat(hasp.exit()).isEqualTo(44);
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_command_that_handles_the_signal_chooses_the_exit_code() {
        String script = "trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done";
        try (HaspProcess hasp = run("handles", "--", "bash", "-c", script)) {
            await().until(() -> hasp.out().contains("ready"));
            hasp.signal("TERM");
            assertThat(hasp.exit()).isEqualTo(5);
        }
    }

    @Test
    void a_signal_ends_the_wait_and_gives_the_place_in_the_queue_back() throws Exception {
        try (Lease held = locks.lock("waiting").acquire();
                HaspProcess hasp = run("waiting", "--", "echo", "ran")) {
            await().until(() -> locks.inspector().lock("waiting").orElseThrow().waiting() == 1);
            hasp.signal("TERM");
            assertThat(hasp.exit()).isEqualTo(143);
            assertThat(hasp.out()).isEmpty();
            await().until(() -> locks.inspector().lock("waiting").orElseThrow().waiting() == 0);
            assertThat(held.remaining()).isPositive();
        }
    }

    @Test
    void an_unreachable_server_ends_with_69_and_shows_no_password() {
        try (HaspProcess hasp =
                HaspProcess.start("redis://user:secret@127.0.0.1:1", "run", "any", "--", "echo", "ran")) {
            assertThat(hasp.exit()).isEqualTo(69);
            assertThat(hasp.out()).isEmpty();
            assertThat(hasp.err()).contains("127.0.0.1:1").doesNotContain("secret");
        }
    }

    @Test
    @InTier(Tier.STANDARD)
    void a_killed_command_leaves_the_lock_free() {
        try (HaspProcess hasp = run("killed", "--", "bash", "-c", "echo $$; exec sleep 30")) {
            await().until(() -> hasp.out().endsWith("\n"));
            HaspProcess.signal("KILL", Long.parseLong(hasp.out().strip()));
            assertThat(hasp.exit()).isEqualTo(137);
            assertThat(locks.lock("killed").tryAcquire()).isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run | Missing required parameters",
                "run x | COMMAND",
                "run x -- | no command is given",
                "run -n -w 1 x y | mutually exclusive",
                "run -E 256 x y | -E is 256",
                "run -w -1 x y | -w is -1",
                "run --permits 2 x y | two numbers",
                "run --permits 3/2 x y | from 1 to its total",
                "run --permits 9999999999/9999999999 x y | two numbers",
                "run x -w 5 y | '-w' stands behind the name of the lock, where the command begins",
                "run  --uri nonesuch://h x y | no backend for the scheme",
                "run  --uri redis://u:secret@h:x x y | ",
                "nonesuch | nonesuch"
            })
    void wrong_usage_ends_with_64_and_says_why(String line, String why) {
        InProcess run = InProcess.run(
                line.strip().replace("run -", "run --uri " + redis.uri() + " -").split(" +"));
        assertThat(run.exit()).isEqualTo(64);
        assertThat(run.err()).startsWith("hasp: ").doesNotContain("secret");
        assertThat(run.err()).contains(why == null ? "" : why);
    }
}
