package io.hasp.conformance.rules;

import io.hasp.conformance.Tier;
import java.nio.file.Path;

/** Says in a failure's stack trace which rule was asked of which lock, and how to ask it again. */
final class RepeatCommand extends Exception {
    private static final long serialVersionUID = 1;

    RepeatCommand(String subject, String adopter, String rule) {
        super(text(subject, adopter, rule), null, false, false);
    }

    private static String text(String subject, String adopter, String rule) {
        String module = String.valueOf(Path.of("").toAbsolutePath().getFileName());
        String tier = Tier.current() == Tier.FAST ? "" : " -P" + Tier.current();
        return subject + " breaks " + rule + ". To ask it again: mvn test" + tier + " -pl " + module + " -am -Dtest='"
                + adopter + "#" + rule + "' -Dsurefire.failIfNoSpecifiedTests=false";
    }
}
