package io.hasp.conformance.torture;

import io.hasp.conformance.history.History;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * What came of a torture.
 *
 * @param plan what was done; its seed repeats it
 * @param work what the clients' turns came to; failures are expected while something is broken
 * @param injected how often each fault was injected
 * @param verdicts what the history says of the lock: several violations, or one other verdict
 * @param history all that the clients and the faults wrote down
 */
public record TortureResult(
        TorturePlan plan, Outcome work, SortedMap<String, Integer> injected, List<Verdict> verdicts, History history) {

    /**
     * The first of the verdicts.
     *
     * @return what the history says of the lock
     */
    public Verdict verdict() {
        return verdicts.get(0);
    }

    /**
     * Who got on in the end.
     *
     * @return the clients that got a lock after the last fault, as the history names them
     */
    public SortedSet<String> recovered() {
        return ProgressCheck.clients(history);
    }

    /**
     * In words.
     *
     * @return two lines and more: seed, setting, work and faults; then the verdicts
     */
    public String report() {
        String faults = injected.entrySet().stream()
                .map(fault -> fault.getValue() + " × " + fault.getKey())
                .collect(Collectors.joining(", "));
        return "seed " + plan.seed() + ": " + plan.setting().time().toSeconds() + " s, "
                + plan.setting().clients() + " clients, " + plan.setting().locks() + " locks"
                + (plan.setting().sharing() ? " of all kinds" : "") + "; " + work.held()
                + " holds, " + work.refused() + " refused, " + work.failed() + " failed, " + work.fencedOff()
                + " fenced off; faults: " + (faults.isEmpty() ? "none" : faults) + "\n"
                + verdicts.stream().map(Verdict::report).collect(Collectors.joining("\n"));
    }
}
