package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.hasp.BackendException;
import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LeaseState;
import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.ConnectionEnd;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.ZooKeeperSessions;
import io.hasp.spi.Credentials;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Digest passwords that change while a client runs: the session signs in with each new one. */
@InTier(Tier.STANDARD)
class RotatedPasswordTest {
    private static final Duration SESSION = Duration.ofSeconds(10);

    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @BeforeAll
    static void prepare() throws Exception {
        SERVER.admin().client.addAuthInfo("digest", "locks:first".getBytes(StandardCharsets.UTF_8));
        SERVER.admin().client.addAuthInfo("digest", "locks:second".getBytes(StandardCharsets.UTF_8));
    }

    private String lock;

    @BeforeEach
    void name(TestInfo test) {
        lock = test.getTestMethod().orElseThrow().getName();
    }

    private static LockClient open(int port, String root, Supplier<Credentials> provider) {
        ZooKeeperConfig config = new ZooKeeperConfig(
                        "127.0.0.1:" + port,
                        new ZooKeeperLocks(root, ZooDefs.Ids.CREATOR_ALL_ACL, ZooKeeperLocks.DEFAULT_COMMAND_TIMEOUT),
                        SESSION,
                        ZooKeeperConfig.DEFAULT_CONNECTION_TIMEOUT,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .credentials(provider);
        return LockClient.over(ZooKeeperBackend.by(config), ClientOptions.defaults());
    }

    /** From now on only who signs in with the second password may use the lock's folder. */
    private void rotate() throws Exception {
        Id second = new Id("digest", DigestAuthenticationProvider.generateDigest("locks:second"));
        SERVER.admin().client.setACL(ServerAdmin.folder(lock), Arrays.asList(new ACL(ZooDefs.Perms.ALL, second)), -1);
    }

    @Test
    void fa12_a_lease_outlives_the_rotation_of_a_password() throws Exception {
        AtomicReference<String> password = new AtomicReference<>("first");
        try (FaultProxy proxy = FaultProxy.before(SERVER.server().port());
                LockClient client = open(
                        proxy.port(),
                        ZooKeeperLocks.DEFAULT_ROOT,
                        () -> new Credentials("locks", Objects.requireNonNull(password.get())))) {
            Lease lease = client.lock(lock).acquire();
            rotate();
            password.set("second");
            proxy.cut(ConnectionEnd.RST);

            await().ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> client.lock(lock).tryAcquire().isEmpty());
            await().during(SESSION.plusSeconds(1))
                    .atMost(SESSION.multipliedBy(2))
                    .until(() -> lease.state() == LeaseState.HELD);
            lease.close();
            client.lock(lock).tryAcquire().orElseThrow().close();
        }
    }

    @Test
    void fa12_a_new_session_signs_in_with_the_present_password() throws Exception {
        AtomicReference<String> password = new AtomicReference<>("first");
        AtomicInteger asked = new AtomicInteger();
        try (LockClient client = open(SERVER.server().port(), "/hasp/locks", () -> {
            asked.incrementAndGet();
            return new Credentials("locks", Objects.requireNonNull(password.get()));
        })) {
            Lease lease = client.lock(lock).acquire();
            rotate();
            password.set("second");
            int before = asked.get();
            long session = SERVER.admin()
                    .stat(lock, SERVER.admin().children(lock).get(0))
                    .getEphemeralOwner();
            ZooKeeperSessions.expire(SERVER.server().connectString(), session, ZooKeeperSessions.passwordOf(session));
            await().until(() -> lease.state() == LeaseState.LOST);
            await().ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> client.lock(lock).tryAcquire().isPresent());
            assertThat(asked.get()).isGreaterThan(before);
        }
    }

    @Test
    void fa12_a_session_outlives_a_provider_that_fails() throws Exception {
        AtomicReference<Supplier<Credentials>> provider =
                new AtomicReference<>(() -> new Credentials("locks", "first"));
        AtomicInteger failed = new AtomicInteger();
        try (FaultProxy proxy = FaultProxy.before(SERVER.server().port());
                LockClient client = open(
                        proxy.port(),
                        "/hasp/locks",
                        () -> Objects.requireNonNull(provider.get()).get())) {
            Lease lease = client.lock(lock).acquire();
            provider.set(() -> {
                failed.incrementAndGet();
                throw new IllegalStateException("no token");
            });
            proxy.cut(ConnectionEnd.RST);
            await().until(() -> failed.get() > 1);
            await().ignoreExceptionsInstanceOf(BackendException.class)
                    .until(() -> client.lock(lock).tryAcquire().isEmpty());
            await().until(() -> lease.state() == LeaseState.HELD);
            lease.close();
            client.lock(lock).tryAcquire().orElseThrow().close();
        }
    }

    @Test
    void fa12_a_provider_without_credentials_is_denied_at_connect_and_leaks_nothing() {
        Supplier<Credentials> failing = () -> {
            throw new IllegalStateException("the token secret is too old");
        };
        for (Supplier<Credentials> provider : List.<Supplier<Credentials>>of(() -> null, failing)) {
            BackendException thrown = catchThrowableOfType(
                    BackendException.class,
                    () -> open(SERVER.server().port(), "/hasp/locks", provider).close());
            assertThat(thrown.kind()).isEqualTo(BackendException.Kind.DENIED);
            assertThat(thrown).hasMessageContaining("the credentials provider").hasMessageContaining("127.0.0.1:");
            assertThat(thrown).hasStackTraceContaining("credentials provider");
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                assertThat(cause.toString()).doesNotContain("secret");
            }
        }
        assertThat(catchThrowable(
                        () -> open(SERVER.server().port(), "/hasp/locks", () -> new Credentials("lo:cks", "secret"))
                                .close()))
                .hasMessageContaining("lo:cks")
                .hasMessageContaining("colon")
                .hasMessageNotContaining("secret");
    }
}
