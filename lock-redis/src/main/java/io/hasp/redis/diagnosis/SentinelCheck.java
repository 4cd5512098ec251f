package io.hasp.redis.diagnosis;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Judges the answers of sentinels to the question if they could replace the master. */
final class SentinelCheck {
    private static final String CHECK = "sentinels";

    private SentinelCheck() {}

    static void run(Map<String, String> answers, Findings findings) {
        // Clients never ask this, so that a sentinel may answer all that they ask and refuse it.
        List<String> hidden = addresses(answers, "NOPERM");
        List<String> ready = addresses(answers, "OK");
        int shown = answers.size() - hidden.size();
        if (!hidden.isEmpty()) {
            findings.unknown(
                    CHECK,
                    String.join(", ", hidden)
                            + ": the user may not ask for the quorum; permit it with ACL SETUSER, +sentinel|ckquorum");
        }
        String others = answers.entrySet().stream()
                .filter(answer -> !ready.contains(answer.getKey()) && !hidden.contains(answer.getKey()))
                .map(answer -> answer.getKey() + ": " + answer.getValue())
                .collect(Collectors.joining("; "));
        if (ready.size() == answers.size()) {
            findings.ok(CHECK, "all " + ready.size() + " know the master and have a quorum");
        } else if (!others.isEmpty() && ready.isEmpty() && hidden.isEmpty()) {
            findings.fail(CHECK, "none could replace a master that is down: " + others);
        } else if (!others.isEmpty()) {
            findings.warn(CHECK, ready.size() + " of " + shown + " have a quorum; " + others);
        }
    }

    private static List<String> addresses(Map<String, String> answers, String beginning) {
        return answers.entrySet().stream()
                .filter(answer -> answer.getValue().startsWith(beginning))
                .map(Map.Entry::getKey)
                .toList();
    }
}
