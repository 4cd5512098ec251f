package io.hasp.redis.diagnosis;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks the permission for each command that locks need. */
final class CommandCheck {
    private static final String CHECK = "commands";
    private static final Set<String> OF_SHARED_LOCKS = Set.of("hmget", "hgetall", "pexpireat");
    private static final Set<String> OF_MESSAGES = Set.of("publish", "pubsub");
    private static final Set<String> OF_OPERATORS = Set.of("scan");
    private static final Set<String> OF_CHECKS = Set.of("info");

    private CommandCheck() {}

    static void run(ServerFacts facts, Findings findings) {
        List<String> missing = facts.tried().stream()
                .filter(command -> denied(facts.refusals().getOrDefault(command, "")))
                .sorted()
                .toList();
        List<String> needed = missing.stream()
                .filter(command -> !OF_SHARED_LOCKS.contains(command)
                        && !OF_MESSAGES.contains(command)
                        && !OF_OPERATORS.contains(command)
                        && !OF_CHECKS.contains(command))
                .toList();
        if (!needed.isEmpty()) {
            findings.fail(CHECK, "locks need " + words(needed) + ": permit them with ACL SETUSER, " + granting(needed));
        }
        some(missing, OF_SHARED_LOCKS, "read-write locks and semaphores need", findings);
        some(missing, OF_MESSAGES, "waiters poll, and no lock is kept, without", findings);
        some(missing, OF_OPERATORS, "locks work, but an operator can't list them without", findings);
        some(missing, OF_CHECKS, "locks work, but several checks need", findings);
        if (missing.isEmpty()) {
            findings.ok(CHECK, "all " + facts.tried().size() + " commands that locks and operators need are permitted");
        }
    }

    private static void some(List<String> missing, Set<String> group, String effect, Findings findings) {
        List<String> found = missing.stream().filter(group::contains).toList();
        if (!found.isEmpty()) {
            findings.warn(CHECK, effect + " " + words(found) + ": permit it with ACL SETUSER, " + granting(found));
        }
    }

    /** The texts of servers before and since version 7, and of managed servers that have no such command. */
    private static boolean denied(String error) {
        return error.contains("NOPERM")
                || error.contains("The user executing the script")
                || error.contains("nknown command")
                || error.contains("nknown Redis command")
                || error.contains("not allowed from script");
    }

    private static String words(List<String> commands) {
        return String.join(", ", commands);
    }

    private static String granting(List<String> commands) {
        return commands.stream().map(command -> "+" + command).collect(Collectors.joining(" "));
    }
}
