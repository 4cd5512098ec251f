package io.hasp.redis.redisson;

import io.hasp.redis.server.GroupCommit;
import io.hasp.redis.server.GroupCommit.Replies;
import io.hasp.redis.server.RedisConnection.Evaluation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchResult;
import org.redisson.api.RBatch;
import org.redisson.api.RScript;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * Waits for replicas behind a batch of Redisson's. A batch has a connection of the pool for itself until it is answered, so that others use
 * the rest of the pool meanwhile.
 */
record BatchAcknowledging(RedissonClient redisson, String server, Duration timeout, int replicas, Duration within)
        implements GroupCommit.Exchange {

    /** After an error reply to one of them Redisson does not say how many replicas have the others: each is asked for by itself. */
    @Override
    public CompletionStage<Replies> send(List<Evaluation> calls) {
        return together(calls)
                .exceptionallyCompose(failure -> calls.size() > 1 && RedissonFailures.isErrorReply(failure)
                        ? oneByOne(calls)
                        : CompletableFuture.failedStage(RedissonFailures.ofCommand(server, failure)));
    }

    /** Redisson may forget a batch (decision 26), for which nothing else must wait. */
    private CompletionStage<Replies> together(List<Evaluation> calls) {
        RBatch batch = redisson.createBatch(
                BatchOptions.defaults().sync(replicas, within).retryAttempts(0));
        RScriptAsync scripts = batch.getScript(StringCodec.INSTANCE);
        List<CompletableFuture<String>> replies = new ArrayList<>();
        for (Evaluation call : calls) {
            replies.add(scripts.<String>evalShaAsync(
                            RScript.Mode.READ_WRITE,
                            call.digest(),
                            RScript.ReturnType.VALUE,
                            List.copyOf(call.keys()),
                            call.arguments().toArray())
                    .toCompletableFuture());
        }
        return batch.executeAsync()
                .toCompletableFuture()
                .copy()
                .orTimeout(timeout.multipliedBy(2).plus(within).toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(BatchResult::getSyncedSlaves)
                .thenApply(number -> new Replies(replies, number));
    }

    private CompletionStage<Replies> oneByOne(List<Evaluation> calls) {
        CompletionStage<Replies> all = CompletableFuture.completedStage(new Replies(List.of(), Long.MAX_VALUE));
        for (Evaluation call : calls) {
            all = all.thenCompose(before -> together(List.of(call))
                    .handle((one, failure) -> failure == null
                            ? with(before, one.scripts().get(0), one.replicas())
                            : with(
                                    before,
                                    CompletableFuture.failedFuture(RedissonFailures.ofCommand(server, failure)),
                                    before.replicas())));
        }
        return all;
    }

    private static Replies with(Replies before, CompletableFuture<String> reply, long replicas) {
        List<CompletableFuture<String>> scripts = new ArrayList<>(before.scripts());
        scripts.add(reply);
        return new Replies(scripts, Math.min(before.replicas(), replicas));
    }
}
