package io.hasp.redis.diagnosis;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Judges the answers of sentinels to the question if they could replace the master. */
final class SentinelCheck {
    private static final String CHECK = "sentinels";

    private SentinelCheck() {}

    static void run(Map<String, String> answers, Findings findings) {
        List<String> ready = answers.entrySet().stream()
                .filter(answer -> answer.getValue().startsWith("OK"))
                .map(Map.Entry::getKey)
                .toList();
        if (ready.size() == answers.size()) {
            findings.ok(CHECK, "all " + ready.size() + " know the master and have a quorum");
            return;
        }
        String others = answers.entrySet().stream()
                .filter(answer -> !ready.contains(answer.getKey()))
                .map(answer -> answer.getKey() + ": " + answer.getValue())
                .collect(Collectors.joining("; "));
        if (ready.isEmpty()) {
            findings.fail(CHECK, "none could replace a master that is down: " + others);
        } else {
            findings.warn(CHECK, ready.size() + " of " + answers.size() + " have a quorum; " + others);
        }
    }
}
