package io.hasp.conformance.servers;

import java.io.IOException;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZKDatabase;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * Gives a single ZooKeeper server its database before it accepts connections. As it comes, it accepts them a moment
 * earlier, fails to close one that came in that moment (ZOOKEEPER-5051, open as of 3.9.5) and never answers it: the
 * client waits for as long as its whole session. Public because ZooKeeper makes it by its name.
 */
public final class DatabaseFirstConnectionFactory extends NIOServerCnxnFactory {

    /** For ZooKeeper. */
    public DatabaseFirstConnectionFactory() {}

    /** {@inheritDoc} */
    @Override
    public void startup(ZooKeeperServer server, boolean startServer) throws IOException, InterruptedException {
        if (server.getZKDatabase() == null) {
            server.setZKDatabase(new ZKDatabase(server.getTxnLogFactory()));
        }
        super.startup(server, startServer);
    }
}
