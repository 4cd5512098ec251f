package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.session.CreatedNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * A handle whose requests a test serves one by one, or loses. Its server lags as far as ZooKeeper allows: a read shows the folder as
 * it was at the latest transaction or {@code sync} of this handle. Callbacks run on the test's thread, in the order of the requests.
 */
public final class ScriptedHandle extends ZooKeeper {
    private static final int SESSION_MILLIS = 3_600_000;
    private static final Watcher NOBODY = event -> {};

    /** A request: serving it gives the answer's code, and its callback takes that code or another one. */
    private record Request(Supplier<Code> serve, IntConsumer callback) {}

    private final int session;
    private final Queue<Request> requests = new ArrayDeque<>();
    private final Queue<Runnable> answers = new ArrayDeque<>();
    private final Map<String, Watcher> watches = new HashMap<>();
    private ScriptedFolder folder = new ScriptedFolder();
    private Watcher watcher = event -> {};
    private int seen;
    private boolean expired;
    private int syncs;
    private @Nullable Error broken;

    private ScriptedHandle(ServerSocket silent, int session) throws IOException {
        super(
                InetAddress.getLoopbackAddress().getHostAddress() + ":" + silent.getLocalPort(),
                SESSION_MILLIS,
                event -> {});
        this.session = session;
    }

    /** A socket that never answers keeps the client library quiet. */
    static ScriptedHandle to(ServerSocket silent, int session) throws IOException {
        return new ScriptedHandle(silent, session);
    }

    /** A new session, at the folder as it is now. */
    void begin(ScriptedFolder shared) {
        requests.clear();
        answers.clear();
        watches.clear();
        folder = shared;
        seen = shared.latest();
        expired = false;
        syncs = 0;
        broken = null;
    }

    /** The session's watcher hears of the connection. */
    void connectionWatcher(Watcher told) {
        watcher = told;
    }

    // What the test does

    /** The server serves the oldest request. */
    public boolean serve() {
        Request request = requests.poll();
        if (request == null) {
            return false;
        }
        int code = request.serve.get().intValue();
        answers.add(() -> request.callback.accept(code));
        return true;
    }

    /** The oldest request is lost with the connection, before the server served it or after that. */
    public boolean lose(boolean served) {
        Request request = requests.poll();
        if (request == null) {
            return false;
        }
        if (served) {
            Code unseen = request.serve.get();
            assertThat(unseen).isNotNull();
        }
        answers.add(() -> watcher.process(
                new WatchedEvent(Watcher.Event.EventType.None, Watcher.Event.KeeperState.Disconnected, null)));
        answers.add(() -> request.callback.accept(Code.CONNECTIONLOSS.intValue()));
        return true;
    }

    /** The second request is answered first, as with a handle that is being closed. */
    public void serveOvertaking() {
        Request first = requests.remove();
        serve();
        requests.add(first);
    }

    /** The event thread takes the oldest answer or news. */
    public boolean deliver() {
        Runnable answer = answers.poll();
        if (answer == null) {
            return false;
        }
        answer.run();
        return true;
    }

    /** An error in this process takes the oldest answer or news. */
    void drop() {
        answers.remove();
    }

    /** The next request is not sent: its call throws an error. */
    void breakNext(Error error) {
        broken = error;
    }

    /** The server no longer lags. */
    public boolean catchUp() {
        boolean lagged = seen < folder.latest();
        advance();
        return lagged;
    }

    /** The session ends, and each request fails. */
    void expire() {
        expired = true;
        folder.endSession(session);
        while (!requests.isEmpty()) {
            serve();
        }
    }

    /** The number of {@code sync} requests. */
    public int syncs() {
        return syncs;
    }

    boolean idle() {
        return requests.isEmpty() && answers.isEmpty();
    }

    private void advance() {
        seen = folder.latest();
        for (String path : List.copyOf(watches.keySet())) {
            if (!folder.now().containsKey(CreatedNode.nameOf(path))) {
                Watcher told = requireNonNull(watches.remove(path));
                answers.add(() -> told.process(new WatchedEvent(
                        Watcher.Event.EventType.NodeDeleted, Watcher.Event.KeeperState.SyncConnected, path)));
            }
        }
    }

    // What the client sends

    private void send(Supplier<Code> serve, IntConsumer callback) {
        Error error = broken;
        if (error != null) {
            broken = null;
            throw error;
        }
        requests.add(new Request(() -> expired ? Code.SESSIONEXPIRED : serve.get(), callback));
        if (expired) {
            serve();
        }
    }

    @Override
    public long getSessionId() {
        return session;
    }

    @Override
    public int getSessionTimeout() {
        return SESSION_MILLIS;
    }

    @Override
    public void create(
            String path,
            byte[] data,
            List<ACL> acl,
            CreateMode mode,
            AsyncCallback.Create2Callback then,
            Object context) {
        String prefix = CreatedNode.nameOf(path);
        Stat stat = new Stat();
        StringBuilder name = new StringBuilder(path.substring(0, path.length() - prefix.length()));
        send(
                () -> {
                    String created = folder.create(prefix, session);
                    stat.setCzxid(requireNonNull(folder.now().get(created)).czxid());
                    name.append(created);
                    advance();
                    return Code.OK;
                },
                code -> then.processResult(code, path, context, name.toString(), stat));
    }

    @Override
    public void delete(String path, int version, AsyncCallback.VoidCallback then, Object context) {
        send(
                () -> {
                    boolean deleted = folder.delete(CreatedNode.nameOf(path));
                    advance();
                    return deleted ? Code.OK : Code.NONODE;
                },
                code -> then.processResult(code, path, context));
    }

    @Override
    public void sync(String path, AsyncCallback.VoidCallback then, Object context) {
        syncs++;
        send(
                () -> {
                    advance();
                    return Code.OK;
                },
                code -> then.processResult(code, path, context));
    }

    @Override
    public void getChildren(String path, boolean watch, AsyncCallback.Children2Callback then, Object context) {
        List<String> shown = new ArrayList<>();
        Stat stat = new Stat();
        send(
                () -> {
                    shown.addAll(folder.version(seen).keySet());
                    stat.setPzxid(seen);
                    return Code.OK;
                },
                code -> then.processResult(code, path, context, code == 0 ? shown : null, code == 0 ? stat : null));
    }

    @Override
    public void exists(String path, boolean watch, AsyncCallback.StatCallback then, Object context) {
        Stat stat = new Stat();
        send(
                () -> {
                    stat.setPzxid(seen);
                    return Code.OK;
                },
                code -> then.processResult(code, path, context, code == 0 ? stat : null));
    }

    @Override
    public void getData(String path, boolean watch, AsyncCallback.DataCallback then, Object context) {
        read(path, NOBODY, then, context);
    }

    @Override
    public void getData(String path, Watcher told, AsyncCallback.DataCallback then, Object context) {
        read(path, told, then, context);
    }

    private void read(String path, Watcher told, AsyncCallback.DataCallback then, Object context) {
        Stat stat = new Stat();
        send(
                () -> {
                    ScriptedFolder.Child child = folder.version(seen).get(CreatedNode.nameOf(path));
                    if (child == null) {
                        return Code.NONODE;
                    }
                    stat.setCzxid(child.czxid());
                    stat.setEphemeralOwner(child.owner());
                    if (told != NOBODY) {
                        watches.put(path, told);
                    }
                    return Code.OK;
                },
                code -> then.processResult(code, path, context, null, code == 0 ? stat : null));
    }

    @Override
    public void removeAllWatches(
            String path, Watcher.WatcherType type, boolean local, AsyncCallback.VoidCallback then, Object context) {
        send(
                () -> {
                    watches.remove(path);
                    return Code.OK;
                },
                code -> then.processResult(code, path, context));
    }

    /** Checks, a substitution, the creation of the folder, which exists, or deletions and creations of nodes. */
    @Override
    public void multi(Iterable<Op> steps, AsyncCallback.MultiCallback then, Object context) {
        List<Op> all = new ArrayList<>();
        steps.forEach(all::add);
        if (all.stream().allMatch(step -> step.getType() == ZooDefs.OpCode.delete || sequential(step))) {
            change(all, then, context);
        } else {
            checkOrSubstitute(steps, then, context);
        }
    }

    private static boolean sequential(Op step) {
        return step.getType() == ZooDefs.OpCode.create2 && NodeName.parse(CreatedNode.nameOf(step.getPath())) == null;
    }

    private void change(List<Op> steps, AsyncCallback.MultiCallback then, Object context) {
        List<OpResult> results = new ArrayList<>();
        send(
                () -> {
                    Code code = folder.change(steps, session, results);
                    advance();
                    return code;
                },
                code -> then.processResult(
                        code, "", context, code == 0 || code == Code.NONODE.intValue() ? results : null));
    }

    private void checkOrSubstitute(Iterable<Op> steps, AsyncCallback.MultiCallback then, Object context) {
        List<OpResult> results = new ArrayList<>();
        send(
                () -> {
                    advance();
                    Code all = Code.OK;
                    String deleted = "";
                    for (Op step : steps) {
                        Code code = all == Code.OK ? code(step, deleted) : Code.RUNTIMEINCONSISTENCY;
                        all = all == Code.OK ? code : all;
                        deleted =
                                step.getType() == ZooDefs.OpCode.delete ? CreatedNode.nameOf(step.getPath()) : deleted;
                        results.add(new OpResult.ErrorResult(code.intValue()));
                    }
                    return all;
                },
                code -> then.processResult(code, "", context, results));
    }

    private Code code(Op step, String deletedBefore) {
        String name = CreatedNode.nameOf(step.getPath());
        if (NodeName.parse(name) == null) {
            return step.getType() == ZooDefs.OpCode.check ? Code.OK : Code.NODEEXISTS;
        }
        if (step.getType() == ZooDefs.OpCode.create) {
            folder.substitute(deletedBefore, name);
            return Code.OK;
        }
        return folder.now().containsKey(name) ? Code.OK : Code.NONODE;
    }
}
