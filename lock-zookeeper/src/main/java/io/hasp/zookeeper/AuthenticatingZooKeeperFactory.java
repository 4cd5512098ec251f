package io.hasp.zookeeper;

import io.hasp.spi.BackendFailure;
import io.hasp.spi.Credentials;
import io.hasp.spi.LogQueue;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * Signs each session in by the digest scheme, and again where the credentials have changed when a connection of it ends or begins. A handle
 * sends all that it was given with each of its connections, before anything else. Thread-safe.
 */
final class AuthenticatingZooKeeperFactory implements ZookeeperFactory {
    private final ZookeeperFactory factory;
    private final Supplier<Credentials> provider;
    private final String servers;
    private volatile DigestCredentials latest;

    /** Fails with {@link BackendFailure} if the provider has no credentials now. */
    AuthenticatingZooKeeperFactory(ZookeeperFactory factory, Supplier<Credentials> provider, String servers) {
        this.factory = factory;
        this.provider = provider;
        this.servers = servers;
        this.latest = present();
    }

    private DigestCredentials present() {
        Credentials present = Credentials.from(provider, "ZooKeeper at " + servers);
        return new DigestCredentials(present.user(), present.password());
    }

    /** A session outlives a provider that fails: its servers know it by what it has signed in with before. */
    private DigestCredentials presentOrLatest() {
        try {
            latest = present();
        } catch (BackendFailure | IllegalArgumentException e) {
            LogQueue.log(System.Logger.Level.WARNING, e.getMessage() + "; the session keeps those that it has");
        }
        return latest;
    }

    @Override
    public ZooKeeper newZooKeeper(String servers, int sessionTimeout, Watcher watcher, boolean readOnly)
            throws Exception {
        SignedIn signedIn = new SignedIn(watcher);
        return signedIn.with(factory.newZooKeeper(servers, sessionTimeout, signedIn, readOnly));
    }

    @Override
    public ZooKeeper newZooKeeper(
            String servers, int sessionTimeout, Watcher watcher, boolean readOnly, @Nullable ZKClientConfig config)
            throws Exception {
        SignedIn signedIn = new SignedIn(watcher);
        return signedIn.with(factory.newZooKeeper(servers, sessionTimeout, signedIn, readOnly, config));
    }

    /** Keeps one handle signed in. */
    private final class SignedIn implements Watcher {
        private final Watcher next;
        private @Nullable ZooKeeper handle;
        private @Nullable DigestCredentials sent;

        SignedIn(Watcher next) {
            this.next = next;
        }

        synchronized ZooKeeper with(ZooKeeper created) {
            handle = created;
            send(created);
            return created;
        }

        @Override
        public void process(WatchedEvent event) {
            KeeperState state = event.getState();
            if (event.getType() == EventType.None
                    && (state == KeeperState.SyncConnected || state == KeeperState.Disconnected)) {
                refresh();
            }
            next.process(event);
        }

        private synchronized void refresh() {
            ZooKeeper created = handle;
            if (created != null) {
                send(created);
            }
        }

        private void send(ZooKeeper to) {
            DigestCredentials digest = presentOrLatest();
            if (!digest.equals(sent)) {
                to.addAuthInfo("digest", (digest.user() + ":" + digest.password()).getBytes(StandardCharsets.UTF_8));
                sent = digest;
            }
        }
    }
}
