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
     * Returns the lock under test.
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
     * @param name its name in reports
     * @return a new process; the rule closes it
     * @throws Exception if it can't be started
     */
    default ClientJvm process(String name) throws Exception {
        throw new TestAbortedException("no client processes for this subject");
    }

    /**
     * Starts a client of the same lock that a rule may stop and kill, in the way that the adopter supports.
     *
     * @param name its name in reports
     * @return a process of its own, unless overridden; the rule closes it
     * @throws Exception if it can't be started
     */
    default CrashableClient crashable(String name) throws Exception {
        return process(name);
    }

    /**
     * Returns the same lock behind a network that a rule may disturb.
     *
     * @return a new subject; the rule closes it
     * @throws Exception if it can't be made
     */
    default ProxiedSubject proxied() throws Exception {
        throw new TestAbortedException("no network before this subject");
    }

    /**
     * Starts a client of the same lock in a separate process and network, whose packets a rule may lose.
     *
     * @param name its name in reports
     * @return a new client; the rule closes it
     * @throws Exception if it can't be made
     */
    default IsolatedClient isolated(String name) throws Exception {
        throw new TestAbortedException("no client processes for this subject");
    }

    /**
     * Returns the expected skips for this subject: rules by method name, or reasons in the words of the table. A run
     * with other skips fails, so that neither a rule nor a capability is lost unnoticed.
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
