package io.hasp.zookeeper.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Reads nodes for operators, several in one request. Sets no watch and changes nothing. Thread-safe. */
public final class NodeReads {
    private static final int AT_ONCE = 100;

    /** The longest name of a lock's folder, and its length in the answer. */
    private static final int LONGEST_NAME = 132;

    /** The client library's own. */
    private static final int DEFAULT_LIMIT = 0xfffff;

    private final ZooKeeper handle;

    NodeReads(ZooKeeper handle) {
        this.handle = handle;
    }

    /** The data of a node as UTF-8 text, and its stat. */
    public record Content(String text, Stat stat) {}

    /** Reads nodes; one request is under way at a time. Returns one result for each path, in the same order. */
    public CompletableFuture<List<RequestResult<Content>>> read(List<String> paths) {
        if (paths.size() <= AT_ONCE) {
            return readAtOnce(paths);
        }
        return readAtOnce(paths.subList(0, AT_ONCE))
                .thenCompose(first -> read(paths.subList(AT_ONCE, paths.size())).thenApply(rest -> {
                    List<RequestResult<Content>> all = new ArrayList<>(first);
                    all.addAll(rest);
                    return all;
                }));
    }

    private CompletableFuture<List<RequestResult<Content>>> readAtOnce(List<String> paths) {
        if (paths.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletableFuture<List<RequestResult<Content>>> reply = new CompletableFuture<>();
        handle.multi(
                paths.stream().map(Op::getData).toList(),
                (rc, asked, context, results) -> reply.complete(contents(rc, results, paths.size())),
                null);
        return reply;
    }

    /** The code of the whole request is that of the first node with an error. */
    private static List<RequestResult<Content>> contents(int rc, @Nullable List<OpResult> results, int asked) {
        if (results == null || results.size() != asked) {
            return Collections.nCopies(asked, RequestResult.of(rc == 0 ? Code.SYSTEMERROR.intValue() : rc, null));
        }
        return results.stream().map(NodeReads::content).toList();
    }

    private static RequestResult<Content> content(OpResult result) {
        if (result instanceof OpResult.GetDataResult read) {
            byte[] data = read.getData();
            return RequestResult.of(
                    0, new Content(data == null ? "" : new String(data, StandardCharsets.UTF_8), read.getStat()));
        }
        int code = result instanceof OpResult.ErrorResult error ? error.getErr() : Code.SYSTEMERROR.intValue();
        return RequestResult.of(code, null);
    }

    /**
     * Lists the folders of locks. An answer above the client's limit would end the connection, and with it perhaps all locks of the session,
     * so a list that may exceed the limit is not requested.
     */
    public CompletableFuture<RequestResult<List<String>>> folders(String root) {
        CompletableFuture<RequestResult<List<String>>> reply = new CompletableFuture<>();
        handle.exists(
                root,
                false,
                (rc, asked, context, stat) -> {
                    if (rc != Code.OK.intValue()) {
                        reply.complete(RequestResult.of(rc, null));
                    } else if ((long) stat.getNumChildren() * LONGEST_NAME > limit()) {
                        reply.complete(RequestResult.failed(
                                Code.MARSHALLINGERROR,
                                ZooKeeperFailures.tooManyChildren(root, stat.getNumChildren(), limit())));
                    } else {
                        list(root, reply);
                    }
                },
                null);
        return reply;
    }

    private void list(String folder, CompletableFuture<RequestResult<List<String>>> reply) {
        handle.getChildren(
                folder, false, (rc, asked, context, children) -> reply.complete(RequestResult.of(rc, children)), null);
    }

    private int limit() {
        return handle.getClientConfig().getInt(ZKClientConfig.JUTE_MAXBUFFER, DEFAULT_LIMIT);
    }
}
