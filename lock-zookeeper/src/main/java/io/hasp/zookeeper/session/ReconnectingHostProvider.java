package io.hasp.zookeeper.session;

import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;

/**
 * Chooses servers as ZooKeeper's client does. An update of the list keeps the list and ends the connection: that is the only call of the
 * client that does so. The next server, or the only one, is then connected without the usual pause. Thread-safe.
 */
final class ReconnectingHostProvider implements HostProvider {
    private final HostProvider servers;
    private volatile boolean updated;

    ReconnectingHostProvider(String connectString) {
        this.servers = new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses());
    }

    @Override
    public int size() {
        return servers.size();
    }

    @Override
    public InetSocketAddress next(long spinDelay) {
        long pause = updated ? 0 : spinDelay;
        updated = false;
        return servers.next(pause);
    }

    @Override
    public void onConnected() {
        servers.onConnected();
    }

    /** True: the client ends its connection. */
    @Override
    public boolean updateServerList(Collection<InetSocketAddress> same, InetSocketAddress current) {
        updated = true;
        return true;
    }
}
