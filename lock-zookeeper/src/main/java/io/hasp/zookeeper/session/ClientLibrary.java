package io.hasp.zookeeper.session;

import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.CreateOptions;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;

/** Uses what the ZooKeeper client library on the class path has: an application may bring one from 3.6 on. */
final class ClientLibrary {
    /** From 3.8 on. */
    private static final boolean HAS_CREATE_OPTIONS = has("org.apache.zookeeper.CreateOptions");

    private ClientLibrary() {}

    /** True if a transaction can report the one that created its nodes, provided that the servers do, too. */
    static boolean reportsCreation() {
        return HAS_CREATE_OPTIONS;
    }

    private static boolean has(String type) {
        try {
            Class.forName(type, false, ZooKeeper.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException olderLibrary) {
            return false;
        }
    }

    /**
     * A step that creates an ephemeral sequential node. The result has the node's stat, if the library can ask for it: otherwise the
     * caller has to.
     */
    static Op createWithStat(String path, byte[] data, List<ACL> acl) {
        return HAS_CREATE_OPTIONS
                ? WithOptions.create(path, data, acl)
                : Op.create(path, data, acl, CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    /** Loaded only where its class exists. */
    private static final class WithOptions {
        private WithOptions() {}

        private static Op create(String path, byte[] data, List<ACL> acl) {
            CreateOptions options = CreateOptions.newBuilder(acl, CreateMode.EPHEMERAL_SEQUENTIAL)
                    .build();
            return Op.create(path, data, options);
        }
    }
}
