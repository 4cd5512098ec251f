package io.hasp.conformance.rules;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.faults.Faults;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every group of rules needs of the test class that adopts it. The first word of a rule's method name is its id in
 * SPEC.md.
 */
@ExtendWith(RuleTable.class)
@Timeout(value = 180, unit = TimeUnit.SECONDS)
public interface RuleGroup {

    /**
     * The lock under test.
     *
     * @return the same lock for every rule
     */
    LockSubject subject();

    /**
     * What can be broken around it.
     *
     * @return nothing, unless overridden
     */
    default Faults faults() {
        return Faults.none();
    }

    /**
     * The rules that are skipped for this subject, by method name. A run in which another set is skipped fails: neither a
     * rule nor a capability gets lost unnoticed.
     *
     * @return none, unless overridden
     */
    default Set<String> skips() {
        return Set.of();
    }
}
