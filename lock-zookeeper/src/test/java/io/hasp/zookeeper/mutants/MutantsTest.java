package io.hasp.zookeeper.mutants;

import static io.hasp.conformance.mutants.Findings.broken;
import static io.hasp.conformance.mutants.Findings.held;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.Timings;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.SubjectFactory;
import io.hasp.conformance.rules.LockConformance;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each wrong recipe breaks the rule that is meant for it, in that rule's words, while the right one keeps it. */
@InTier(Tier.STANDARD)
final class MutantsTest {
    private static final ZooKeeperServer SERVER = ZooKeeperServer.start();
    private static ZooKeeper admin;

    @BeforeAll
    static void connect() throws Exception {
        admin = RecipeLock.connect(SERVER.connectString(), Timings.longWait());
    }

    @AfterAll
    static void stop() throws Exception {
        admin.close();
        SERVER.close();
    }

    @Test
    void order_by_name_lets_a_newcomer_in_before_the_holder_has_gone_me2() {
        LockConformance rules = rulesFor(new OrderByName(SERVER.connectString()), OfOrderByName.class);
        broken(
                rules::me2_of_clients_that_ask_at_once_only_one_gets_the_lock,
                "clients that hold the lock at the same time");
        held(rules::ap2_zero_wait_on_a_free_lock_succeeds);
        held(
                rulesFor(new RecipeLock(SERVER.connectString()), OfRecipeLock.class)
                        ::me2_of_clients_that_ask_at_once_only_one_gets_the_lock);
    }

    @Test
    void persistent_node_keeps_the_lock_of_a_process_that_was_killed_li1() {
        LockConformance rules = rulesFor(new PersistentNode(SERVER.connectString()), OfPersistentNode.class);
        broken(
                rules::li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence,
                "a lock is still held whose client was killed");
        held(rules::me2_recorded_holds_never_overlap);
        held(
                rulesFor(new RecipeLock(SERVER.connectString()), OfRecipeLock.class)
                        ::li1_lock_of_a_killed_process_is_free_for_the_next_within_its_silence);
    }

    /** Opened by a client process; public, because that process creates it by its name. */
    private abstract static class Factory implements SubjectFactory {
        private final Function<String, LockSubject> at;

        Factory(Function<String, LockSubject> at) {
            this.at = at;
        }

        @Override
        public final LockSubject subject(String address) {
            return at.apply(address);
        }
    }

    public static final class OfRecipeLock extends Factory {
        public OfRecipeLock() {
            super(RecipeLock::new);
        }
    }

    public static final class OfOrderByName extends Factory {
        public OfOrderByName() {
            super(OrderByName::new);
        }
    }

    public static final class OfPersistentNode extends Factory {
        public OfPersistentNode() {
            super(PersistentNode::new);
        }
    }

    private static LockConformance rulesFor(LockSubject lock, Class<? extends SubjectFactory> factory) {
        return new LockConformance() {
            @Override
            public LockSubject subject() {
                return lock;
            }

            @Override
            public ClientJvm process(String name) {
                return ClientJvm.start(name, factory, SERVER.connectString());
            }

            @Override
            public Faults faults() {
                return new Faults() {
                    @Override
                    public int present(String name) throws Exception {
                        try {
                            return admin.getChildren(RecipeLock.folder(name), false)
                                    .size();
                        } catch (KeeperException.NoNodeException e) {
                            return 0;
                        }
                    }
                };
            }
        };
    }
}
