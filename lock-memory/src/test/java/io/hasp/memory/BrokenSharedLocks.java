package io.hasp.memory;

import io.hasp.LockClient;
import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.Hold;
import io.hasp.conformance.LockMode;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockSubject.Claimed;
import io.hasp.conformance.LockUser;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.CrashableClient;
import io.hasp.conformance.processes.SilencedClient;
import io.hasp.conformance.rules.HaspConformance;
import io.hasp.conformance.rules.SharedLockConformance;
import io.hasp.conformance.servers.Server;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** Shared locks that break a rule: Hasp on a {@link BrokenSharedServer}, or a client library around it that does worse. */
final class BrokenSharedLocks {

    private BrokenSharedLocks() {}

    /** Hasp on a server with flaws, or none. */
    static HaspConformance on(SharedFlaw... flaws) {
        World world = new World(new BrokenSharedServer(flaws));
        return new HaspConformance() {
            @Override
            public HaspSubject subject() {
                return world.subject(world.link());
            }

            @Override
            public Faults faults() {
                return world;
            }

            @Override
            public CrashableClient crashable(String name) throws Exception {
                return world.crashable(name, subject -> subject);
            }
        };
    }

    /** A library around Hasp on a sound server. */
    static SharedLockConformance around(UnaryOperator<LockUser> library) {
        World world = new World(new BrokenSharedServer());
        UnaryOperator<LockSubject> adapted = subject -> new Around(subject, library);
        return new SharedLockConformance() {
            @Override
            public LockSubject subject() {
                return adapted.apply(world.subject(world.link()));
            }

            @Override
            public Faults faults() {
                return world;
            }

            @Override
            public CrashableClient crashable(String name) throws Exception {
                return world.crashable(name, adapted);
            }
        };
    }

    /** A client library that reports every failure as a refusal. */
    static LockUser outageAsBusy(LockUser user) {
        return new Library(user) {
            @Override
            public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws InterruptedException {
                try {
                    return super.tryAcquire(lock, mode, wait);
                } catch (InterruptedException e) {
                    throw e;
                } catch (Exception e) {
                    return Optional.empty();
                }
            }
        };
    }

    /** A client library that considers a grant held until it releases it. */
    static LockUser believesOn(LockUser user) {
        return new Library(user) {
            @Override
            public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
                return super.tryAcquire(lock, mode, wait).map(Believed::new);
            }
        };
    }

    /** A server, its links, and what can be broken around it. */
    private static final class World implements Faults {
        private final BrokenSharedServer server;
        private final List<BrokenSharedLink> links = new CopyOnWriteArrayList<>();

        World(BrokenSharedServer server) {
            this.server = server;
        }

        BrokenSharedLink link() {
            BrokenSharedLink link = new BrokenSharedLink(server);
            links.add(link);
            return link;
        }

        HaspSubject subject(BrokenSharedLink link) {
            return new HaspSubject("broken", options -> LockClient.over(link, options), Claimed.FIFO).sharing();
        }

        CrashableClient crashable(String name, UnaryOperator<LockSubject> adapted) throws Exception {
            BrokenSharedLink link = link();
            return SilencedClient.open(name, adapted.apply(subject(link)), link::cut, link::mend);
        }

        @Override
        public int present(String lock) {
            return server.present(lock);
        }

        @Override
        public Server server() {
            return new LinkedServer(
                    () -> links.forEach(BrokenSharedLink::cut), () -> links.forEach(BrokenSharedLink::mend));
        }
    }

    private record Around(LockSubject subject, UnaryOperator<LockUser> library) implements LockSubject {
        @Override
        public String name() {
            return subject.name();
        }

        @Override
        public Set<Claimed> claims() {
            return subject.claims();
        }

        @Override
        public LockUser open() throws Exception {
            return library.apply(subject.open());
        }
    }

    private abstract static class Library implements LockUser {
        private final LockUser user;

        Library(LockUser user) {
            this.user = user;
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, Duration wait) throws Exception {
            return user.tryAcquire(lock, wait);
        }

        @Override
        public Optional<Hold> tryAcquire(String lock, LockMode mode, Duration wait) throws Exception {
            return user.tryAcquire(lock, mode, wait);
        }

        @Override
        public void close() throws Exception {
            user.close();
        }
    }

    private record Believed(Hold hold) implements Hold {
        @Override
        public boolean release() throws Exception {
            return hold.release();
        }

        @Override
        public OptionalLong token() {
            return hold.token();
        }

        @Override
        public Hold downgrade() throws Exception {
            return new Believed(hold.downgrade());
        }

        @Override
        public Hold giveBack(int count) throws Exception {
            return new Believed(hold.giveBack(count));
        }
    }
}
