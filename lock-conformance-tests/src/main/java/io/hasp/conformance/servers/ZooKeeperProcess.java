package io.hasp.conformance.servers;

import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * The main program of a ZooKeeper server's JVM. ZooKeeper's own hands start-up failures to a logger, which may be mute;
 * this one lets them end the process, so that they are the last lines of its output.
 */
final class ZooKeeperProcess {

    private static final String READ_ONLY = "readonlymode.enabled";

    private ZooKeeperProcess() {}

    public static void main(String[] args) {
        try {
            QuorumPeerConfig config = new QuorumPeerConfig();
            config.parse(args[0]);
            // The one option that the server reads from the JVM only, and under its bare name.
            System.setProperty(READ_ONLY, System.getProperty("zookeeper." + READ_ONLY, "false"));
            if (config.isDistributed()) {
                new QuorumPeerMain().runFromConfig(config);
            } else {
                System.getProperties()
                        .putIfAbsent(
                                ServerCnxnFactory.ZOOKEEPER_SERVER_CNXN_FACTORY,
                                DatabaseFirstConnectionFactory.class.getName());
                ServerConfig single = new ServerConfig();
                single.readFrom(config);
                new ZooKeeperServerMain().runFromConfig(single);
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }
}
