package io.hasp.redis.redisson;

import io.hasp.redis.server.DelayedTasks;
import io.hasp.redis.server.RedisConnection.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RBatch;
import org.redisson.api.RScript;
import org.redisson.api.RScriptAsync;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * Runs scripts through Redisson. It takes a connection from its pool and makes a system call for each command. So while
 * {@link #MOST} requests are under way, further calls wait, and what waits is sent as one batch when a request is answered. A server
 * that does not answer keeps nobody waiting: if nothing was sent for a while, what waits is sent all the same. A request that
 * Redisson forgets, as it may when it is shut down, fails in the end. Thread-safe.
 */
final class ScriptBatches {
    /** More of them are fewer calls in a batch, fewer of them a longer wait where the server is far away. */
    private static final int MOST = 4;

    private static final int LARGEST_BATCH = 100;
    private static final Duration LONGEST_WAIT = Duration.ofMillis(1);

    private final RedissonClient redisson;
    private final RScript scripts;
    private final Duration patience;
    private final Queue<Call> waiting = new ConcurrentLinkedQueue<>();
    private final Set<Request> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean looksLater = new AtomicBoolean();
    private final AtomicBoolean watches = new AtomicBoolean();

    /**
     * Sends nothing yet.
     *
     * @param patience after how long Redisson has forgotten a request
     */
    ScriptBatches(RedissonClient redisson, Duration patience) {
        this.redisson = redisson;
        this.scripts = redisson.getScript(StringCodec.INSTANCE);
        this.patience = patience;
    }

    CompletionStage<String> evaluate(Command command, String script, List<String> keys, List<String> arguments) {
        List<Object> names = List.copyOf(keys);
        if (command == Command.EVAL) {
            // Rare, and in a batch Redisson may load it first, which needs another permission.
            return scripts.evalAsync(
                    RScript.Mode.READ_WRITE, script, RScript.ReturnType.VALUE, names, arguments.toArray());
        }
        Call call = new Call(script, names, arguments, new CompletableFuture<>());
        waiting.add(call);
        sendUnless(MOST);
        if (!waiting.isEmpty()) {
            lookLater();
        }
        return call.reply();
    }

    private void sendUnless(int most) {
        while (!waiting.isEmpty()) {
            int now = requests.get();
            if (now >= most) {
                return;
            }
            Request request = new Request();
            if (requests.compareAndSet(now, now + 1)) {
                request.fill();
                request.send();
            }
        }
    }

    private void lookLater() {
        int before = sent.get();
        once(looksLater, LONGEST_WAIT, () -> look(before));
    }

    private void look(int before) {
        try {
            if (sent.get() == before) {
                sendUnless(Integer.MAX_VALUE);
            }
        } finally {
            if (!waiting.isEmpty()) {
                lookLater();
            }
        }
    }

    private void failForgotten() {
        long now = System.nanoTime();
        underWay.stream()
                .filter(request -> now - request.began >= patience.toNanos())
                .forEach(
                        request -> request.ended(new TimeoutException("Redisson ended no request within " + patience)));
        if (!underWay.isEmpty()) {
            once(watches, patience, this::failForgotten);
        }
    }

    /** Runs a task after a time, unless it is going to be run anyway. */
    private static void once(AtomicBoolean planned, Duration after, Runnable task) {
        if (!planned.compareAndSet(false, true)) {
            return;
        }
        boolean accepted = false;
        try {
            DelayedTasks.after(after).execute(() -> {
                planned.set(false);
                task.run();
            });
            accepted = true;
        } finally {
            if (!accepted) {
                planned.set(false);
            }
        }
    }

    /** Calls that are sent together. */
    private final class Request {
        private final List<Call> calls = new ArrayList<>(LARGEST_BATCH);
        private final long began = System.nanoTime();
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile boolean sendReturned;

        void fill() {
            Call next;
            while (calls.size() < LARGEST_BATCH && (next = waiting.poll()) != null) {
                calls.add(next);
            }
        }

        /** The answer sends the next request, unless it comes before this returns: then the caller does. */
        void send() {
            try {
                underWay.add(this);
                throughRedisson().whenComplete((reply, failure) -> ended(failure));
                sent.incrementAndGet();
                once(watches, patience, ScriptBatches.this::failForgotten);
                sendReturned = true;
            } catch (RuntimeException | Error e) {
                ended(e);
            }
        }

        private CompletionStage<?> throughRedisson() {
            if (calls.isEmpty()) {
                return CompletableFuture.completedStage(null);
            }
            if (calls.size() == 1) {
                return calls.get(0).through(scripts);
            }
            RBatch batch = redisson.createBatch();
            RScriptAsync together = batch.getScript(StringCodec.INSTANCE);
            calls.forEach(call -> call.through(together));
            return batch.executeAsync();
        }

        private void ended(@Nullable Throwable failure) {
            if (over.compareAndSet(false, true)) {
                underWay.remove(this);
                requests.decrementAndGet();
                calls.forEach(call -> call.requestEnded(failure));
                if (sendReturned) {
                    sendUnless(MOST);
                }
            }
        }
    }

    /** A script that is sent by its digest, and the reply to come. */
    private record Call(String digest, List<Object> keys, List<String> arguments, CompletableFuture<String> reply) {

        CompletionStage<String> through(RScriptAsync scripts) {
            return scripts.<String>evalShaAsync(
                            RScript.Mode.READ_WRITE, digest, RScript.ReturnType.VALUE, keys, arguments.toArray())
                    .whenComplete(this::end);
        }

        private void end(@Nullable String text, @Nullable Throwable failure) {
            if (failure == null) {
                reply.complete(text);
            } else {
                reply.completeExceptionally(failure);
            }
        }

        /** Redisson forgets a command whose reply said to try again, if the rest of its batch came in another piece. */
        void requestEnded(@Nullable Throwable failure) {
            if (!reply.isDone()) {
                reply.completeExceptionally(
                        failure != null ? failure : new IllegalStateException("the batch ended without this reply"));
            }
        }
    }
}
