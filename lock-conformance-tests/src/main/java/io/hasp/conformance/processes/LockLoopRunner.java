package io.hasp.conformance.processes;

import io.hasp.conformance.LockMode;
import io.hasp.conformance.history.RecordedHold;
import io.hasp.conformance.history.RecordedUser;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a {@link LockLoop} for one client. */
final class LockLoopRunner {
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RecordedUser user;
    private final LockLoop loop;
    private final @Nullable CounterFile counter;
    private final long end;

    private LockLoopRunner(RecordedUser user, LockLoop loop, @Nullable CounterFile counter) {
        this.user = user;
        this.loop = loop;
        this.counter = counter;
        this.end = System.nanoTime() + loop.time().toNanos();
    }

    static Outcome run(RecordedUser user, LockLoop loop, Executor threads) throws IOException {
        try (CounterFile counter =
                loop.counter().isPresent() ? CounterFile.open(loop.counter().get()) : null) {
            LockLoopRunner runner = new LockLoopRunner(user, loop, counter);
            List<CompletableFuture<Outcome>> all = Stream.generate(
                            () -> CompletableFuture.supplyAsync(runner::rounds, threads))
                    .limit(loop.threads())
                    .toList();
            return all.stream().map(CompletableFuture::join).reduce(Outcome.NONE, Outcome::plus);
        }
    }

    private Outcome rounds() {
        Outcome sum = Outcome.NONE;
        for (long round = 0; round < loop.rounds() && System.nanoTime() - end < 0; round++) {
            Outcome one = round();
            sum = sum.plus(one);
            if (one.failed() > 0) {
                LockSupport.parkNanos(REST_NANOS);
            }
        }
        return sum;
    }

    /** Whatever a lock throws is an outcome here; its history has the reason. */
    @SuppressWarnings("InterruptedExceptionSwallowed") // nothing interrupts these threads
    private Outcome round() {
        if (!loop.others().isEmpty()) {
            return roundTogether();
        }
        Optional<RecordedHold> taken;
        try {
            taken = user.recorded(
                    loop.lock(), loop.mode(), loop.patience(), loop.lease().orElse(null));
        } catch (Exception e) {
            return new Outcome(0, 0, 1, 0);
        }
        if (taken.isEmpty()) {
            return new Outcome(0, 1, 0, 0);
        }
        RecordedHold hold = taken.get();
        long fencedOff = 0;
        long failed = 0;
        try {
            fencedOff = countWhileHolding(hold) ? 0 : 1;
            hold = loop.lowering() ? lowered(hold) : hold;
        } catch (Exception e) {
            failed++;
        }
        try {
            hold.release();
        } catch (Exception e) {
            failed++;
        }
        return new Outcome(1, 0, failed, fencedOff);
    }

    /** The counter is that of the first lock. */
    @SuppressWarnings("InterruptedExceptionSwallowed") // nothing interrupts these threads
    private Outcome roundTogether() {
        List<String> locks =
                Stream.concat(Stream.of(loop.lock()), loop.others().stream()).toList();
        List<RecordedHold> holds;
        try {
            holds = user.recordedAll(locks, loop.patience());
        } catch (Exception e) {
            return new Outcome(0, 0, 1, 0);
        }
        if (holds.isEmpty()) {
            return new Outcome(0, 1, 0, 0);
        }
        long fencedOff = 0;
        long failed = 0;
        try {
            fencedOff = countWhileHolding(holds.get(0)) ? 0 : 1;
        } catch (Exception e) {
            failed++;
        }
        try {
            RecordedHold.releaseTogether(holds);
        } catch (Exception e) {
            failed++;
        }
        return new Outcome(1, 0, failed, fencedOff);
    }

    /** False if the counter refused the token. */
    private boolean countWhileHolding(RecordedHold hold) throws IOException {
        long token = hold.token().orElse(0);
        OptionalLong count = OptionalLong.empty();
        if (counter != null) {
            count = loop.fenced() ? readFenced(counter, token) : OptionalLong.of(counter.read());
            count.ifPresent(hold.log()::read);
        }
        keep(hold);
        if (counter == null) {
            return true;
        }
        if (count.isEmpty()) {
            return false;
        }
        if (loop.mode().weight() < loop.mode().capacity()) {
            return true;
        }
        long next = count.getAsLong() + 1;
        if (loop.fenced()) {
            if (!counter.write(token, next)) {
                return false;
            }
        } else {
            counter.write(next);
        }
        hold.log().counted(next);
        return true;
    }

    /** Readers shut out former writers only. */
    private OptionalLong readFenced(CounterFile from, long token) throws IOException {
        return loop.mode().equals(LockMode.READ) ? from.readShared(token) : from.read(token);
    }

    /** Keeps less of the lock for as long again. */
    private RecordedHold lowered(RecordedHold hold) throws Exception {
        RecordedHold rest = loop.mode().equals(LockMode.WRITE)
                ? hold.downgrade()
                : hold.giveBack(loop.mode().weight() - 1);
        keep(rest);
        return rest;
    }

    private void keep(RecordedHold hold) {
        long until = System.nanoTime() + loop.hold().toNanos();
        for (long left = loop.hold().toNanos(); left > 0; left = until - System.nanoTime()) {
            hold.believesHeld();
            LockSupport.parkNanos(Math.min(left, LOOK_NANOS));
        }
    }
}
