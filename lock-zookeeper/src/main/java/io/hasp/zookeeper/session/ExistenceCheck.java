package io.hasp.zookeeper.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Checks that nodes exist, by quorum transactions of limited size. They fire no watches. A read would not do: a server that is
 * cut off from its quorum would still answer it.
 */
final class ExistenceCheck {
    private static final int MAX_CHECKS = 200;
    private static final int MAX_CHECK_BYTES = 128 * 1024;

    /** Sends a transaction; the value is the index of the step that failed. */
    @FunctionalInterface
    interface Transactions {
        CompletableFuture<RequestResult<Integer>> send(List<Op> steps);
    }

    private ExistenceCheck() {}

    /** Returns one code for each path, in the same order. */
    static CompletableFuture<List<Code>> run(Transactions transactions, List<String> paths) {
        List<CompletableFuture<List<Code>>> batches = new ArrayList<>();
        int from = 0;
        int bytes = 0;
        for (int i = 0; i < paths.size(); i++) {
            bytes += paths.get(i).length();
            if (i + 1 == paths.size() || i + 1 - from == MAX_CHECKS || bytes > MAX_CHECK_BYTES) {
                batches.add(checkBatch(transactions, paths.subList(from, i + 1)));
                from = i + 1;
                bytes = 0;
            }
        }
        return CompletableFutures.allOf(batches)
                .thenApply(codes -> codes.stream().flatMap(List::stream).toList());
    }

    /**
     * A transaction fails as a whole at the first node that is missing or may not be read, and names that node. The nodes before it exist;
     * the nodes after it are checked again. A client that releases many locks while it renews many has some missing in every batch.
     */
    private static CompletableFuture<List<Code>> checkBatch(Transactions transactions, List<String> paths) {
        if (paths.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return transactions
                .send(paths.stream().map(path -> Op.check(path, -1)).toList())
                .thenCompose(reply -> {
                    if (!Session.ofOneNode(reply.code()) || reply.value() == null) {
                        return CompletableFuture.completedFuture(Collections.nCopies(paths.size(), reply.code()));
                    }
                    int failed = reply.get();
                    return checkBatch(transactions, paths.subList(failed + 1, paths.size()))
                            .thenApply(behind -> {
                                List<Code> codes = new ArrayList<>(Collections.nCopies(failed, Code.OK));
                                codes.add(reply.code());
                                codes.addAll(behind);
                                return codes;
                            });
                });
    }
}
