package io.hasp.redis;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.VirtualThreads;
import io.hasp.conformance.processes.SubjectFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Hasp in a client process, each call on a virtual thread of its own, and one in four of them interrupted at any moment. */
public final class InterruptedVirtualThreads implements SubjectFactory {
    private static final int ONE_IN = 4;
    private static final long MOST_NANOS = 2_000_000;

    @Override
    public LockSubject subject(String uri) {
        return new Subject(HaspSubject.at("hasp", uri));
    }

    private static <T> T call(Callable<T> work) throws Exception {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread thread = VirtualThreads.start(() -> {
            try {
                done.complete(work.call());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        ThreadLocalRandom random = ThreadLocalRandom.current();
        if (random.nextInt(ONE_IN) == 0) {
            LockSupport.parkNanos(random.nextLong(MOST_NANOS));
            thread.interrupt();
        }
        try {
            return done.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }

    private record Subject(HaspSubject hasp) implements LockSubject {
        @Override
        public String name() {
            return hasp.name();
        }

        @Override
        public Set<Claimed> claims() {
            return hasp.claims();
        }

        @Override
        public LockUser open() throws Exception {
            return new User(hasp.open());
        }
    }

    private record User(LockUser user) implements LockUser {
        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            return call(() -> user.tryAcquire(lock, wait)).map(Held::new);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait, Duration lease) throws Exception {
            return call(() -> user.tryAcquire(lock, wait, lease)).map(Held::new);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
            return call(() -> user.tryAcquire(lock, mode, wait)).map(Held::new);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait, Duration lease) throws Exception {
            return call(() -> user.tryAcquire(lock, mode, wait, lease)).map(Held::new);
        }

        @Override
        public void close() throws Exception {
            user.close();
        }
    }

    private record Held(Hold hold) implements Hold {
        @Override
        public boolean release() throws Exception {
            return call(hold::release);
        }

        @Override
        public Hold downgrade() throws Exception {
            return new Held(call(hold::downgrade));
        }

        @Override
        public Hold giveBack(int count) throws Exception {
            return new Held(call(() -> hold.giveBack(count)));
        }

        @Override
        public OptionalLong token() {
            return hold.token();
        }

        @Override
        public boolean believesHeld() {
            return hold.believesHeld();
        }
    }
}
