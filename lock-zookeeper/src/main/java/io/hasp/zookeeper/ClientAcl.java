package io.hasp.zookeeper;

import io.hasp.zookeeper.session.ZooKeeperFailures;
import java.util.List;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.proto.CreateRequest;

/**
 * The permissions of nodes that are created through an application's Curator client: an acl that was given for the locks, otherwise what
 * the client's {@code ACLProvider} gives. Curator shows a provider to no one, so a creation that is not sent carries its answer.
 */
final class ClientAcl {
    private static final byte[] NO_DATA = {};

    private ClientAcl() {}

    /**
     * The permissions by path, with the namespace. The function throws a {@link io.hasp.spi.BackendFailure} if the provider fails.
     *
     * @param chosen for the locks; one that is open to everybody is the default and leaves the choice to the provider
     */
    static Function<String, List<ACL>> of(CuratorFramework client, List<ACL> chosen) {
        return chosen.equals(ZooDefs.Ids.OPEN_ACL_UNSAFE) ? path -> provided(client, path) : path -> chosen;
    }

    private static List<ACL> provided(CuratorFramework client, String path) {
        if (client.getState() != CuratorFrameworkState.STARTED) {
            throw ZooKeeperFailures.notSent("the Curator client was closed by its owner", null);
        }
        try {
            Op creation = client.usingNamespace(null)
                    .transactionOp()
                    .create()
                    .forPath(path, NO_DATA)
                    .get();
            return ((CreateRequest) creation.toRequestRecord()).getAcl();
        } catch (Exception e) {
            throw ZooKeeperFailures.incompatible(
                    "the ACLProvider of the Curator client failed for '" + path + "': " + e);
        }
    }
}
