package io.hasp.zookeeper.session;

import io.hasp.spi.Timing;
import io.hasp.zookeeper.session.NodeOperation.Answer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Combines the operations of one session into transactions: ZooKeeper logs and acknowledges a transaction once, however many nodes it
 * changes. An operation that finds a free place is sent at once, as a request of its own. The others are collected, and go together when
 * an answer makes a place free, or when they are as many as those under way: deletions first, and at most one creation in a folder, because
 * two would have the same token. See docs/decisions/0044.
 *
 * <p>A transaction that fails changes nothing. The operation that made it fail gets that answer, and the others are sent again at once: those
 * before it together, because they passed, and those behind it together the first time, then each alone.
 *
 * <p>An operation waits at most for a few milliseconds, whatever is under way: servers may be far away, or silent. Answers come in the order
 * of the requests, so a later answer also stands for one that was lost. Thread-safe; sends and answers outside the monitor.
 */
final class TransactionCombiner {
    /** Requests and transactions under way while others are collected. */
    static final int PLACES = 2;

    static final int MOST_STEPS = 200;

    /** Far below the servers' jute.maxbuffer. */
    static final int MOST_BYTES = 64 * 1024;

    private static final Duration LONGEST_WAIT = Duration.ofMillis(5);
    private static final int MOST_RETURNS = 2;

    private final Timing timing;
    private final BiConsumer<List<Op>, Consumer<Answer>> transaction;
    private final Deque<NodeOperation> deletions = new ArrayDeque<>();
    private final Deque<NodeOperation> creations = new ArrayDeque<>();
    private long sent;
    private long answered;
    /** The number of operations that were sent last. */
    private int lastSize;

    private long sentAtTimer;
    private boolean timerSet;

    /**
     * Creates a combiner without operations.
     *
     * @param transaction sends steps as one transaction; calls the consumer once
     */
    TransactionCombiner(Timing timing, BiConsumer<List<Op>, Consumer<Answer>> transaction) {
        this.timing = timing;
        this.transaction = transaction;
    }

    /** Sends the operation, now or with others. */
    void submit(NodeOperation operation) {
        while (true) {
            long number = 0;
            synchronized (this) {
                if (isEmpty() && mayGo(1)) {
                    number = nextNumber(1);
                } else if (timerSet) {
                    (operation.createsIn() == null ? deletions : creations).add(operation);
                    break;
                } else {
                    timerSet = true;
                }
            }
            if (number > 0) {
                long mine = number;
                operation.sendAlone(answer -> answered(List.of(operation), mine, answer));
                operation.sendBehind();
                return;
            }
            startTimer();
        }
        sendCollected(false);
    }

    /** A second transaction goes beside the first one when it is as large: small ones would fill the places while more arrive. */
    private boolean mayGo(int operations) {
        long underWay = sent - answered;
        return underWay == 0 || (underWay < PLACES && operations >= lastSize);
    }

    private synchronized long nextNumber(int operations) {
        lastSize = operations;
        return ++sent;
    }

    private boolean isEmpty() {
        return deletions.isEmpty() && creations.isEmpty();
    }

    /** Before anything is collected: a call that an error ends must not be sent later. */
    private void startTimer() {
        synchronized (this) {
            sentAtTimer = sent;
        }
        try {
            timing.schedule(LONGEST_WAIT, this::overdue);
        } catch (RuntimeException | Error broken) {
            synchronized (this) {
                timerSet = false;
            }
            throw broken;
        }
    }

    /** Operations were collected a while ago. If nothing was sent since, they are. */
    private void overdue() {
        try {
            sendCollected(true);
        } finally {
            if (keepTimer()) {
                startTimer();
            }
        }
    }

    private synchronized boolean keepTimer() {
        timerSet = !isEmpty();
        return timerSet;
    }

    /**
     * Sends what is collected, while there are free places, or once in any case if nothing was sent since the timer was started. Creations
     * that only their folders kept out of a transaction are sent right behind it: each would wait for the answer to the one before.
     */
    private void sendCollected(boolean late) {
        boolean anyway = late;
        boolean keptOut = false;
        while (true) {
            List<NodeOperation> batch = new ArrayList<>();
            long number;
            synchronized (this) {
                boolean may = mayGo(deletions.size() + creations.size()) || (anyway && sent == sentAtTimer) || keptOut;
                if (!may || isEmpty()) {
                    return;
                }
                take(deletions, batch);
                keptOut = take(creations, batch);
                number = nextNumber(batch.size());
            }
            anyway = false;
            send(batch, number);
        }
    }

    /** Moves operations until the batch is large enough. A second creation in a folder stays; returns true if there is one. */
    private static boolean take(Deque<NodeOperation> from, List<NodeOperation> batch) {
        int steps = batch.stream().mapToInt(each -> each.steps().size()).sum();
        int bytes = batch.stream().mapToInt(NodeOperation::bytes).sum();
        Set<String> folders = new HashSet<>();
        boolean keptOut = false;
        for (Iterator<NodeOperation> all = from.iterator();
                all.hasNext() && steps < MOST_STEPS && bytes < MOST_BYTES; ) {
            NodeOperation next = all.next();
            if (next.createsIn() == null || folders.add(next.createsIn())) {
                all.remove();
                batch.add(next);
                steps += next.steps().size();
                bytes += next.bytes();
            } else {
                keptOut = true;
            }
        }
        return keptOut;
    }

    /** If an error breaks the sending off, each operation has an unknown outcome, and the error as its reason. */
    private void send(List<NodeOperation> batch, long number) {
        try {
            if (batch.size() == 1) {
                batch.get(0).sendAlone(answer -> answered(batch, number, answer));
            } else {
                List<Op> steps = new ArrayList<>();
                batch.forEach(each -> steps.addAll(each.steps()));
                transaction.accept(steps, answer -> answered(batch, number, answer));
            }
        } catch (RuntimeException | Error broken) {
            answerAll(batch, Answer.broken(broken));
            return;
        }
        batch.forEach(NodeOperation::sendBehind);
    }

    private void answered(List<NodeOperation> batch, long number, Answer answer) {
        synchronized (this) {
            answered = Math.max(answered, number);
        }
        int failed = answer.ok() || batch.size() == 1 ? -1 : answer.failedStep();
        try {
            if (failed >= 0) {
                sendAgain(batch, failed);
            }
            sendCollected(false);
        } finally {
            if (failed < 0) {
                answerAll(batch, answer);
            } else {
                answerFailed(batch, answer, failed);
            }
        }
    }

    private void sendAgain(List<NodeOperation> batch, int failedStep) {
        List<NodeOperation> passed = new ArrayList<>();
        List<NodeOperation> unserved = new ArrayList<>();
        int step = 0;
        for (NodeOperation each : batch) {
            int next = step + each.steps().size();
            boolean failed = step <= failedStep && failedStep < next;
            if (!failed && !each.wanted()) {
                each.answer(Answer.of(Code.RUNTIMEINCONSISTENCY.intValue(), null), 0);
            } else if (next <= failedStep) {
                passed.add(each);
            } else if (step > failedStep) {
                unserved.add(each);
            }
            step = next;
        }
        again(passed);
        again(unserved);
    }

    private void again(List<NodeOperation> batch) {
        boolean alone = false;
        for (NodeOperation each : batch) {
            alone |= each.returned() >= MOST_RETURNS;
        }
        if (alone) {
            batch.forEach(each -> send(List.of(each), nextNumber(1)));
        } else if (!batch.isEmpty()) {
            send(batch, nextNumber(batch.size()));
        }
    }

    private static void answerFailed(List<NodeOperation> batch, Answer answer, int failedStep) {
        int step = 0;
        for (NodeOperation each : batch) {
            int next = step + each.steps().size();
            if (step <= failedStep && failedStep < next) {
                each.answer(answer, step);
            }
            step = next;
        }
    }

    /** Answers each operation even if one throws. */
    private static void answerAll(List<NodeOperation> batch, Answer answer) {
        int step = 0;
        Throwable broken = null;
        for (NodeOperation each : batch) {
            try {
                each.answer(answer, step);
            } catch (RuntimeException | Error thrown) {
                broken = thrown;
            }
            step += each.steps().size();
        }
        if (broken instanceof Error error) {
            throw error;
        }
        if (broken instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
