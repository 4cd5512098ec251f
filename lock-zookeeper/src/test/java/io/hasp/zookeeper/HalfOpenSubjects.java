package io.hasp.zookeeper;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.processes.ErrorInjector;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.torture.HalfOpenTorture;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.jspecify.annotations.Nullable;

/**
 * Hasp in a client process by a URI, or on an application's Curator client: {@code own:} and the addresses. That client's event thread can
 * be blocked by a callback of the application.
 */
public final class HalfOpenSubjects implements SubjectFactory, ErrorInjector {
    static final Duration SESSION = Duration.ofSeconds(6);

    /** Longer than the session, which decides then. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final String OWN = "own:";
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private volatile @Nullable CuratorFramework client;
    private volatile CountDownLatch unblock = new CountDownLatch(0);

    static String own(String addresses) {
        return OWN + addresses;
    }

    static String uri(String addresses) {
        return "zookeeper://" + addresses + "?connectionTimeout=20s&commandTimeout=" + COMMAND_TIMEOUT.toSeconds()
                + "s&sessionTimeout=" + SESSION.toSeconds() + "s";
    }

    @Override
    public LockSubject subject(String argument) {
        HaspSubject subject = argument.startsWith(OWN)
                ? onCurator(argument.substring(OWN.length()))
                : new HaspSubject(
                        "hasp",
                        options -> HalfOpenTorture.opened(() -> LockClient.connect(URI.create(argument), options)));
        return subject.leasing(LEASE);
    }

    private HaspSubject onCurator(String addresses) {
        int session = Math.toIntExact(SESSION.toMillis());
        CuratorFramework curator =
                CuratorFrameworkFactory.newClient(addresses, session, session, new RetryOneTime(100));
        client = curator;
        curator.start();
        return new HaspSubject(
                "hasp",
                options -> HalfOpenTorture.opened(() -> LockClient.over(
                        ZooKeeperBackend.on(
                                curator,
                                new ZooKeeperLocks(
                                        ZooKeeperLocks.DEFAULT_ROOT,
                                        ZooKeeperLocks.defaults().acl(),
                                        COMMAND_TIMEOUT)),
                        options)));
    }

    @Override
    public void throwErrors(long seed) {
        CountDownLatch latch = new CountDownLatch(1);
        unblock = latch;
        CuratorFramework curator = client;
        if (curator == null) {
            throw new IllegalStateException("no client is open");
        }
        try {
            curator.checkExists()
                    .inBackground((any, event) -> latch.await(60, TimeUnit.SECONDS))
                    .forPath("/");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stopErrors() {
        unblock.countDown();
    }
}
