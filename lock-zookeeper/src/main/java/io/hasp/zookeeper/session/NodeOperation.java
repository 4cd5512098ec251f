package io.hasp.zookeeper.session;

import io.hasp.spi.BackendFailure;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/** A change of one lock's nodes: a request of its own, or some steps of a transaction. Answered once. Thread-safe. */
final class NodeOperation {
    /**
     * The answer to a request, or to these steps of a transaction.
     *
     * @param code ZooKeeper's code
     * @param results one for each step; empty if the answer is missing or the request has a single step that failed
     * @param error ended the sending: the server may have got the request or not; null without one
     */
    record Answer(
            Code code, List<OpResult> results, @Nullable Throwable error) {
        static Answer of(int code, @Nullable List<OpResult> results) {
            Code known = Code.get(code);
            return new Answer(known == null ? Code.SYSTEMERROR : known, results == null ? List.of() : results, null);
        }

        static Answer broken(Throwable error) {
            return new Answer(Code.SYSTEMERROR, List.of(), error);
        }

        boolean ok() {
            return code == Code.OK;
        }

        /** The index of the step that failed; -1 if the answer names none. */
        int failedStep() {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != 0) {
                    return i;
                }
            }
            return -1;
        }

        /** The request may have reached the server or not: such a failure with an error as its cause ends the client. */
        @Nullable
        BackendFailure failure() {
            return error == null ? null : ZooKeeperFailures.brokenOff(error);
        }

        private Answer part(int from, int steps) {
            List<OpResult> own = results.size() < from + steps ? List.of() : results.subList(from, from + steps);
            return new Answer(code, own, error);
        }
    }

    /** Sends a request; the consumer is called once, with its answer. */
    @FunctionalInterface
    interface Request {
        void send(Consumer<Answer> then);
    }

    private final @Nullable String createsIn;

    private final List<Op> steps;
    private final int bytes;
    private final Request alone;
    private final NodeRequests.Behind behind;
    private final Consumer<Answer> then;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile int returns;

    /**
     * Creates an operation that was not sent.
     *
     * @param createsIn the folder of the node that it creates; null if it only deletes
     * @param bytes the size of its steps, about
     * @param alone the same as a request of its own
     * @param behind the requests that the server has to serve after this one
     */
    NodeOperation(
            @Nullable String createsIn,
            List<Op> steps,
            int bytes,
            Request alone,
            NodeRequests.Behind behind,
            Consumer<Answer> then) {
        this.createsIn = createsIn;
        this.steps = steps;
        this.bytes = bytes;
        this.alone = alone;
        this.behind = behind;
        this.then = then;
    }

    @Nullable
    String createsIn() {
        return createsIn;
    }

    List<Op> steps() {
        return steps;
    }

    int bytes() {
        return bytes;
    }

    void sendAlone(Consumer<Answer> answer) {
        alone.send(answer);
    }

    void sendBehind() {
        behind.send();
    }

    boolean wanted() {
        return behind.wanted();
    }

    /** A transaction failed because of another operation in it. Returns how often that happened. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // an operation is in one transaction at a time
    int returned() {
        return ++returns;
    }

    /** Takes the answer to its steps from that of a transaction in which they follow this many others. */
    void answer(Answer transaction, int from) {
        if (answered.compareAndSet(false, true)) {
            then.accept(transaction.part(from, steps.size()));
        }
    }
}
