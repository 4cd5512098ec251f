package io.hasp.conformance.rules.support;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.Tier;
import io.hasp.conformance.faults.Faults;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.CrashableClient;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.opentest4j.TestAbortedException;

/**
 * The settings that every group of rules needs from the adopting test class. The first word of a rule's method name is
 * its id in SPEC.md.
 */
@ExtendWith({RuleSchedule.class, RuleReportExtension.class})
@Execution(ExecutionMode.CONCURRENT)
@TestMethodOrder(RuleSchedule.class)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
public interface RuleGroup {

    /**
     * The lock under test.
     *
     * @return the same lock for every rule
     */
    LockSubject subject();

    /**
     * Returns the faults that the rules can cause around the lock.
     *
     * @return no faults, unless overridden
     */
    default Faults faults() {
        return Faults.none();
    }

    /**
     * Starts a client of the same lock in a process of its own, which a rule may stop and kill.
     *
     * @param name how reports call it
     * @return a new process, closed by the rule
     * @throws Exception if it can't be started
     */
    default ClientJvm process(String name) throws Exception {
        throw new TestAbortedException("no client processes for this subject");
    }

    /**
     * Starts a client of the same lock that a rule may stop and kill, in whatever way it can be done.
     *
     * @param name how reports call it
     * @return a process of its own, unless overridden; closed by the rule
     * @throws Exception if it can't be started
     */
    default CrashableClient crashable(String name) throws Exception {
        return process(name);
    }

    /**
     * The same lock behind a network that a rule may disturb.
     *
     * @return a new subject, closed by the rule
     * @throws Exception if it can't be made
     */
    default ProxiedSubject proxied() throws Exception {
        throw new TestAbortedException("no network before this subject");
    }

    /**
     * Starts a client of the same lock in a process and a network of its own, whose packets a rule may lose.
     *
     * @param name how reports call it
     * @return a new client, closed by the rule
     * @throws Exception if it can't be made
     */
    default IsolatedClient isolated(String name) throws Exception {
        throw new TestAbortedException("no client processes for this subject");
    }

    /**
     * The rules that are skipped for this subject, by method name, or the reasons for which rules are skipped, in the words
     * of the table. A run in which another set is skipped fails: neither a rule nor a capability gets lost unnoticed.
     *
     * @return none, unless overridden
     */
    default Set<String> skips() {
        return Set.of();
    }

    /**
     * Returns the first tier that runs a rule for this adopter. Choose a tier after {@link Tier#FAST} for a rule that
     * another adopter of the same backend checks in every build, if this adopter's servers or connection make no
     * difference to it.
     *
     * @param rule the rule's method name
     * @return {@link Tier#FAST}, unless overridden
     */
    default Tier tierOf(String rule) {
        return Tier.FAST;
    }
}
