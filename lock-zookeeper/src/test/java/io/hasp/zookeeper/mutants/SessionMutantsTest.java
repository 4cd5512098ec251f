package io.hasp.zookeeper.mutants;

import static io.hasp.conformance.mutants.Findings.broken;

import io.hasp.conformance.InTier;
import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.faults.ZooKeeperFaults;
import io.hasp.conformance.rules.MutualExclusionRules;
import io.hasp.conformance.rules.SessionRules;
import io.hasp.conformance.rules.support.ProxiedSubject;
import io.hasp.zookeeper.OneServer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The recipe done wrong breaks the rule that is meant for it, in that rule's words, while a control rule stays green. */
@Timeout(120)
@InTier(Tier.STANDARD)
final class SessionMutantsTest {
    @RegisterExtension
    static final OneServer SERVER = new OneServer();

    @Test
    void recipe_itself_keeps_zk2() throws Exception {
        rulesFor(ReconnectingRecipe::new).zk2_lock_granted_after_an_interruption_outlives_the_interrupted_session();
    }

    @Test
    void node_of_an_ended_session_is_caught_by_zk2() throws Exception {
        Rules rules = rulesFor(NodeOfEndedSession::new);
        broken(
                rules::zk2_lock_granted_after_an_interruption_outlives_the_interrupted_session,
                "another client must be refused: the first holds it since");
        rules.me2_second_client_is_refused_while_first_holds();
    }

    private interface Rules extends MutualExclusionRules, SessionRules {}

    private static Rules rulesFor(Function<String, LockSubject> lock) {
        return new Rules() {
            @Override
            public LockSubject subject() {
                return lock.apply(SERVER.server().connectString());
            }

            @Override
            public ProxiedSubject proxied() {
                FaultProxy proxy = FaultProxy.before(SERVER.server().port());
                LockSubject subject = lock.apply("127.0.0.1:" + proxy.port());
                return new ProxiedSubject(proxy, subject, subject.silence());
            }

            @Override
            public Faults faults() {
                return new ZooKeeperFaults(
                        SERVER.server(), SERVER.server().connectString(), ReconnectingRecipe::folder);
            }
        };
    }
}
