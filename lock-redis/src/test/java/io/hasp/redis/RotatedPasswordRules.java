package io.hasp.redis;

import static io.hasp.redis.ServerUnderTest.assertFailure;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.BackendFailure.Kind;
import io.hasp.spi.BackendFailure.Outcome;
import io.hasp.spi.Credentials;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Passwords that change while a client runs: each new connection asks for the present one. */
interface RotatedPasswordRules extends ServerUnderTest {
    Duration LEASE = Duration.ofSeconds(3);

    default RedisConfig config(RedisServer server, Supplier<Credentials> provider) {
        return RedisConfig.of(URI.create(uri(server, ""))).credentials(provider);
    }

    @Test
    default void fa12_a_lease_outlives_the_rotation_of_a_password() throws InterruptedException {
        AtomicReference<String> password = new AtomicReference<>("first");
        try (RedisServer server = RedisServer.start()) {
            allow(server, "first");
            RedisConfig config = config(server, () -> new Credentials("locks", requireNonNull(password.get())));
            try (LockClient client = LockClient.over(
                    RedisBackend.on(config), ClientOptions.defaults().renewedLease(LEASE))) {
                Lease lease = client.lock("orders/42").acquire();
                allow(server, "second");
                password.set("second");
                cut(server);

                await().during(LEASE.multipliedBy(2))
                        .atMost(LEASE.multipliedBy(4))
                        .until(() -> lease.state() == LeaseState.HELD);
                client.lock("orders/43").acquire().close();
                lease.close();
                assertThat(server.command("GET", "hasp:{orders/42}")).isNull();
            }
        }
    }

    @Test
    default void fa12_a_provider_that_fails_costs_one_attempt_to_connect() {
        AtomicReference<Supplier<Credentials>> provider = new AtomicReference<>(() -> new Credentials("", "first"));
        AtomicInteger asked = new AtomicInteger();
        try (RedisServer server = RedisServer.start("requirepass first");
                TestClient client = new TestClient(RedisBackend.on(config(server, () -> {
                    asked.incrementAndGet();
                    return requireNonNull(provider.get()).get();
                })))) {
            client.release(client.granted("a").claim().holder().value());
            provider.set(() -> {
                throw new IllegalStateException("token first is too old");
            });
            try (RespConnection admin = server.connect()) {
                admin.command("AUTH", "first");
                admin.command("CLIENT", "KILL", "TYPE", "normal");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            await().ignoreExceptionsInstanceOf(AssertionError.class)
                    .untilAsserted(() -> assertFailure(
                            () -> client.tryAcquire("b"),
                            Kind.DENIED,
                            Outcome.NOT_APPLIED,
                            "the credentials provider threw java.lang.IllegalStateException"));
            provider.set(() -> new Credentials("", "first"));
            int before = asked.get();
            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.granted("c") != null);
            assertThat(asked.get()).isGreaterThan(before);
        }
    }

    @Test
    default void fa12_a_provider_without_credentials_is_denied_at_connect_and_leaks_nothing() {
        try (RedisServer server = RedisServer.start("requirepass secret")) {
            Supplier<Credentials> none = () -> null;
            Supplier<Credentials> failing = () -> {
                throw new IllegalStateException("the token secret is too old");
            };
            assertFailure(() -> open(server, none), Kind.DENIED, Outcome.NOT_APPLIED, "returned null");
            assertFailure(() -> open(server, failing), Kind.DENIED, Outcome.NOT_APPLIED, "threw");
            BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> open(server, failing));
            StringWriter printed = new StringWriter();
            failure.printStackTrace(new PrintWriter(printed, true));
            assertThat(printed.toString()).contains("IllegalStateException").doesNotContain("secret");
            assertThat(new Credentials("locks", "secret").toString()).doesNotContain("secret");
        }
    }

    /** One of a library that is missing at run time, for instance. */
    @Test
    default void fa12_a_provider_that_fails_with_an_error_is_denied_and_leaks_nothing() {
        AtomicReference<Supplier<Credentials>> provider = new AtomicReference<>(() -> new Credentials("", "secret"));
        try (RedisServer server = RedisServer.start("requirepass secret");
                TestClient client = new TestClient(RedisBackend.on(
                        config(server, () -> requireNonNull(provider.get()).get())))) {
            client.release(client.granted("a").claim().holder().value());
            provider.set(() -> {
                throw new NoClassDefFoundError("secret");
            });
            try (RespConnection admin = server.connect()) {
                admin.command("AUTH", "secret");
                admin.command("CLIENT", "KILL", "TYPE", "normal");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            await().ignoreExceptionsInstanceOf(AssertionError.class)
                    .untilAsserted(() -> assertFailure(
                            () -> client.tryAcquire("b"),
                            Kind.DENIED,
                            Outcome.NOT_APPLIED,
                            "the credentials provider threw java.lang.NoClassDefFoundError"));
            provider.set(() -> new Credentials("", "secret"));
            await().ignoreExceptionsInstanceOf(BackendFailure.class).until(() -> client.granted("c") != null);
        }
    }

    private void open(RedisServer server, Supplier<Credentials> provider) {
        new TestClient(RedisBackend.on(config(server, provider))).close();
    }

    /** The user has this password, and no other. */
    private static void allow(RedisServer server, String password) {
        server.command("ACL", "SETUSER", "locks", "on", "resetpass", ">" + password, "~hasp:*", "&hasp:*", "+@all");
    }

    private static void cut(RedisServer server) {
        server.command("CLIENT", "KILL", "USER", "locks");
    }
}
