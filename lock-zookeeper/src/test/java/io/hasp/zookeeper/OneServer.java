package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;

import io.hasp.conformance.servers.ZooKeeperServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for the tests of a class: started before the first of them, stopped after the last. */
public final class OneServer implements BeforeAllCallback, AfterAllCallback {
    private @Nullable ZooKeeperServer server;
    private @Nullable ServerAdmin admin;

    @Override
    public void beforeAll(ExtensionContext context) {
        server = ZooKeeperServer.start();
    }

    public ZooKeeperServer server() {
        return requireNonNull(server);
    }

    /** Connected with the first call. */
    public ServerAdmin admin() {
        if (admin == null) {
            try {
                admin = ServerAdmin.connect(server());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        return admin;
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        try {
            if (admin != null) {
                admin.close();
                admin = null;
            }
        } finally {
            server().close();
        }
    }
}
