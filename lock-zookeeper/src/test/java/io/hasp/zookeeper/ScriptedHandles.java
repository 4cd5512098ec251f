package io.hasp.zookeeper;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The scripted handles of a test class, and the silent socket to which they connect. */
public final class ScriptedHandles implements BeforeAllCallback, AfterAllCallback {
    private final ScriptedHandle[] handles;
    private @Nullable ServerSocket silent;

    public ScriptedHandles(int number) {
        handles = new ScriptedHandle[number];
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        for (int i = 0; i < handles.length; i++) {
            handles[i] = ScriptedHandle.to(silent, i + 1);
        }
    }

    public ScriptedHandle first() {
        return handles[0];
    }

    public ScriptedHandle[] all() {
        return handles;
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (silent != null) {
            silent.close();
        }
        for (ScriptedHandle handle : handles) {
            handle.close();
        }
    }
}
