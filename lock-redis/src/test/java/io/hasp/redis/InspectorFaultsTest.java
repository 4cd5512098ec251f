package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientClosedException;
import io.hasp.ClientOptions;
import io.hasp.Connect;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.LockView;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.Direction;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ProxiedConnection;
import io.hasp.conformance.faults.TrafficPolicy;
import io.hasp.conformance.servers.RedisServer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator while Redis or the way to it fails: an error, and never a short list, a free lock, or a break that was none. */
@Timeout(120)
@InTier(Tier.STANDARD)
class InspectorFaultsTest {
    private static final int LOCKS = 400;

    private final RedisServer server = RedisServer.start();
    private final FaultProxy proxy = FaultProxy.before(server.port());
    private final LockClient holder = LockClient.connect(server.uri());
    private final List<Lease> held = new ArrayList<>();

    @AfterEach
    void close() {
        holder.closeNow();
        proxy.close();
        server.close();
    }

    private LockClient operator(Through library, String more) {
        return LockClient.connect(
                Through.uri("redis://127.0.0.1:" + proxy.port() + "?connection=" + library.word() + more));
    }

    private void hold(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            held.add(holder.lock("many/" + i).acquire());
        }
    }

    private static Iterator<LockView> begun(LockClient operator) {
        Iterator<LockView> list = operator.inspector().locks("").iterator();
        for (int i = 0; i < 10; i++) {
            list.next();
        }
        return list;
    }

    private static int count(Iterator<LockView> list) {
        int count = 0;
        while (list.hasNext()) {
            list.next();
            count++;
        }
        return count;
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_server_that_is_killed_or_starts_again_in_the_middle_ends_the_list_with_an_error(Through library)
            throws Exception {
        hold(LOCKS);
        try (LockClient operator = operator(library, "&commandTimeout=500ms")) {
            Iterator<LockView> first = begun(operator);
            Iterator<LockView> second = begun(operator);
            server.kill();
            assertThatExceptionOfType(BackendException.class).isThrownBy(() -> count(first));
            server.restartWithoutData();
            await().ignoreExceptions()
                    .until(() -> operator.inspector().lock("none").isEmpty());
            assertThatExceptionOfType(BackendException.class).isThrownBy(() -> count(second));
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void connections_that_end_in_the_middle_shorten_no_list(Through library) throws Exception {
        hold(LOCKS);
        try (LockClient operator = operator(library, "")) {
            Iterator<LockView> list = begun(operator);
            int seen = 10;
            try {
                while (list.hasNext()) {
                    list.next();
                    if (++seen % 40 == 0) {
                        proxy.cut(seen % 80 == 0 ? ConnectionEnd.RST : ConnectionEnd.FIN);
                    }
                }
                assertThat(seen).isEqualTo(LOCKS);
            } catch (BackendException e) {
                assertThat(seen).isLessThan(LOCKS);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_break_whose_answer_is_lost_is_never_a_break_that_was_none(Through library) throws Exception {
        hold(2);
        long token = held.get(0).fencingToken();
        try (LockClient operator = operator(library, "")) {
            // Now the server has the script.
            assertThat(operator.inspector().breakLock("many/1", held.get(1).fencingToken()))
                    .isTrue();
            String serverToken = Long.toString(token / 256);
            AtomicReference<ProxiedConnection> cut = new AtomicReference<>();
            proxy.when(Direction.REQUESTS, serverToken, connection -> {
                connection.set(Direction.REPLIES, TrafficPolicy.DROP);
                cut.set(connection);
            });
            CompletableFuture<Boolean> broken =
                    CompletableFuture.supplyAsync(() -> operator.inspector().breakLock("many/0", token));
            await().until(() ->
                    cut.get() != null && holder.inspector().lock("many/0").isEmpty());
            Objects.requireNonNull(cut.get()).cut(ConnectionEnd.RST);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(broken::join)
                    .withCauseInstanceOf(BackendException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void a_silent_server_and_a_changed_password_are_errors(Through library) throws Exception {
        hold(1);
        long token = held.get(0).fencingToken();
        try (LockClient operator = operator(library, "&commandTimeout=500ms")) {
            proxy.set(TrafficPolicy.HOLD);
            failsEverywhere(operator, token);
            proxy.heal();
            await().ignoreExceptions()
                    .until(() -> operator.inspector().lock("many/0").isPresent());
            server.command("CONFIG", "SET", "requirepass", "other");
            proxy.cut(ConnectionEnd.RST);
            failsEverywhere(operator, token);
        }
    }

    private static void failsEverywhere(LockClient operator, long token) {
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> count(operator.inspector().locks("").iterator()));
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> operator.inspector().lock("many/0"));
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> operator.inspector().breakLock("many/0", token));
    }

    @ParameterizedTest
    @EnumSource(Through.class)
    void an_interrupted_caller_has_the_answer_and_keeps_the_interrupt(Through library) throws Exception {
        hold(1);
        try (LockClient operator = operator(library, "")) {
            Thread.currentThread().interrupt();
            assertThat(operator.inspector().lock("many/0")).isPresent();
            assertThat(count(operator.inspector().locks("").iterator())).isEqualTo(1);
            assertThat(operator.inspector().breakLock("many/0", held.get(0).fencingToken()))
                    .isTrue();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void a_lazy_client_connects_for_its_operator_and_a_closed_one_refuses() {
        proxy.refuse();
        ClientOptions lazy = ClientOptions.defaults().connect(Connect.LAZY);
        LockClient operator = LockClient.connect("redis://127.0.0.1:" + proxy.port(), lazy);
        assertThatExceptionOfType(BackendException.class)
                .isThrownBy(() -> operator.inspector().lock("any"));
        proxy.heal();
        await().ignoreExceptions().until(() -> operator.inspector().lock("any").isEmpty());
        var inspector = operator.inspector();
        operator.close();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(() -> inspector.lock("any"));
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> inspector.locks("").count());
        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> inspector.breakLock("any", 256L * 1_000_000));
    }
}
