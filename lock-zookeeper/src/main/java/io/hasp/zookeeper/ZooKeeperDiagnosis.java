package io.hasp.zookeeper;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Finding;
import io.hasp.zookeeper.operators.Findings;
import io.hasp.zookeeper.operators.PermissionChecks;
import io.hasp.zookeeper.operators.ServerChecks;
import io.hasp.zookeeper.operators.SessionChecks;
import io.hasp.zookeeper.operators.TreeChecks;
import io.hasp.zookeeper.session.TimestampingZooKeeperFactory;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;

/** Checks the servers that a configuration names, with a session of its own. */
final class ZooKeeperDiagnosis {
    private final ZooKeeperConfig config;
    private final BackendContext context;
    private final Findings findings = new Findings();

    ZooKeeperDiagnosis(ZooKeeperConfig config, BackendContext context) {
        this.config = config;
        this.context = context;
    }

    List<Finding> run() {
        ServerChecks.run(config.servers(), config.tls().isPresent(), context.executor(), findings);
        CuratorFramework client;
        try {
            client = CuratorClientFactory.openForDiagnosis(config, new TimestampingZooKeeperFactory(context.timing()));
        } catch (BackendFailure failure) {
            findings.fail("connection", failure.getMessage() + ": no lock can be acquired");
            return findings.all();
        }
        try {
            findings.ok("connection", "a session was opened" + (config.tls().isPresent() ? ", encrypted" : ""));
            checkSession(client.getZookeeperClient().getZooKeeper());
        } catch (Exception e) {
            findings.fail("connection", "the connection was lost: " + e);
        } finally {
            CuratorClientFactory.close(client, config.locks().commandTimeout());
        }
        return findings.all();
    }

    private void checkSession(ZooKeeper handle) {
        ZooKeeperLocks locks = config.locks();
        boolean writable = new SessionChecks(handle, context.timing(), findings).run(config.sessionTimeout());
        if (writable) {
            new PermissionChecks(handle, locks.root(), locks.acl(), context.clientId(), context.timing(), findings)
                    .run();
        }
        new TreeChecks(handle, locks.root(), CuratorClientFactory.LARGEST_ANSWER, writable, findings).run();
    }
}
