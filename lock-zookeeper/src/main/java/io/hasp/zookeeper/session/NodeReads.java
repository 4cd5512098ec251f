package io.hasp.zookeeper.session;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes for operators, many in one request, and one request at a time. Sets no watch and changes nothing. Thread-safe.
 *
 * <p>An answer above the client's limit would end its connection, and with it perhaps all locks of the session. So the requests are cut to
 * the limit, and a list of children that may exceed it is not requested.
 */
public final class NodeReads {
    private static final int MOST_NODES = 100;
    private static final int MOST_CHILDREN = 5_000;

    /** The data of a node of Hasp and its stat, at most. */
    private static final int BYTES_OF_NODE = 1_000;

    /** The name of a child in an answer, at most: the longest is that of a lock's folder. */
    private static final int BYTES_OF_NAME = 132;

    /** The client library's own. */
    private static final int DEFAULT_LIMIT = 0xfffff;

    private final ZooKeeper handle;

    NodeReads(ZooKeeper handle) {
        this.handle = handle;
    }

    /** The data of a node as UTF-8 text, and its stat. */
    public record Content(String text, Stat stat) {}

    /** A node that is to be listed, and the number of its children at an earlier moment. */
    public record Parent(String path, int children) {}

    /** Reads nodes. Returns one result for each path, in the same order. */
    public CompletableFuture<List<RequestResult<Content>>> read(List<String> paths) {
        int atOnce = Math.max(1, Math.min(MOST_NODES, limit() / BYTES_OF_NODE));
        List<List<Op>> requests = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += atOnce) {
            requests.add(paths.subList(from, Math.min(paths.size(), from + atOnce)).stream()
                    .map(Op::getData)
                    .toList());
        }
        return send(requests, NodeReads::content, new ArrayList<>());
    }

    /** Lists the children of nodes. Returns one result for each node, in the same order. */
    public CompletableFuture<List<RequestResult<List<String>>>> children(List<Parent> parents) {
        int limit = limit() / BYTES_OF_NAME;
        List<List<Op>> requests = new ArrayList<>();
        List<Op> request = new ArrayList<>();
        long children = 0;
        for (Parent parent : parents) {
            if (parent.children() > limit) {
                return CompletableFuture.completedFuture(Collections.nCopies(
                        parents.size(),
                        RequestResult.failed(
                                Code.MARSHALLINGERROR,
                                ZooKeeperFailures.tooManyChildren(parent.path(), parent.children(), limit()))));
            }
            children += parent.children();
            if (request.size() == MOST_NODES || children > Math.min(limit, MOST_CHILDREN)) {
                requests.add(request);
                request = new ArrayList<>();
                children = parent.children();
            }
            request.add(Op.getChildren(parent.path()));
        }
        requests.add(request);
        requests.removeIf(List::isEmpty);
        return send(requests, NodeReads::names, new ArrayList<>());
    }

    /** Lists the children of a node. */
    public CompletableFuture<RequestResult<List<String>>> children(String path) {
        return read(List.of(path)).thenCompose(replies -> {
            RequestResult<Content> node = replies.get(0);
            return node.ok()
                    ? children(List.of(new Parent(path, node.get().stat().getNumChildren())))
                            .thenApply(lists -> lists.get(0))
                    : CompletableFuture.completedFuture(
                            RequestResult.of(node.code().intValue(), null));
        });
    }

    private <T> CompletableFuture<List<RequestResult<T>>> send(
            List<List<Op>> requests, Function<OpResult, RequestResult<T>> read, List<RequestResult<T>> results) {
        if (requests.isEmpty()) {
            return CompletableFuture.completedFuture(results);
        }
        CompletableFuture<List<RequestResult<T>>> reply = new CompletableFuture<>();
        List<Op> first = requests.get(0);
        handle.multi(
                first, (rc, asked, context, answers) -> reply.complete(results(rc, answers, first.size(), read)), null);
        return reply.thenCompose(now -> {
            results.addAll(now);
            return send(requests.subList(1, requests.size()), read, results);
        });
    }

    /** The code of the whole request is that of the first node with an error. */
    private static <T> List<RequestResult<T>> results(
            int rc, @Nullable List<OpResult> answers, int asked, Function<OpResult, RequestResult<T>> read) {
        return answers == null || answers.size() != asked
                ? Collections.nCopies(asked, RequestResult.of(rc == 0 ? Code.SYSTEMERROR.intValue() : rc, null))
                : answers.stream().map(read).toList();
    }

    private static RequestResult<Content> content(OpResult result) {
        if (result instanceof OpResult.GetDataResult read) {
            byte[] data = read.getData();
            return RequestResult.of(
                    0, new Content(data == null ? "" : new String(data, StandardCharsets.UTF_8), read.getStat()));
        }
        return refused(result);
    }

    private static RequestResult<List<String>> names(OpResult result) {
        return result instanceof OpResult.GetChildrenResult read
                ? RequestResult.of(0, read.getChildren())
                : refused(result);
    }

    private static <T> RequestResult<T> refused(OpResult result) {
        return RequestResult.of(
                result instanceof OpResult.ErrorResult error ? error.getErr() : Code.SYSTEMERROR.intValue(), null);
    }

    private int limit() {
        return handle.getClientConfig().getInt(ZKClientConfig.JUTE_MAXBUFFER, DEFAULT_LIMIT);
    }
}
