package io.hasp.conformance.rules.support;

import io.hasp.conformance.Tier;
import java.nio.file.Path;

/** A failure of a rule. Its message ends with the lock's name and the command that repeats the rule. */
final class BrokenRule extends AssertionError {
    private static final long serialVersionUID = 1;

    /** The failure itself. */
    final transient Throwable reason;

    BrokenRule(Throwable cause, String subject, String adopter, String rule) {
        super(cause + "\n" + subject + " breaks " + rule + ". " + command(adopter, rule), cause);
        this.reason = cause;
    }

    private static String command(String adopter, String rule) {
        String module = String.valueOf(Path.of("").toAbsolutePath().getFileName());
        String tier = Tier.current() == Tier.FAST ? "" : " -P" + Tier.current();
        return "To ask it again: mvn test" + tier + " -pl " + module + " -am -Dtest='" + adopter + "#" + rule
                + "' -Dsurefire.failIfNoSpecifiedTests=false";
    }
}
