package io.hasp.conformance.torture;

import io.hasp.conformance.history.History;
import io.hasp.conformance.history.Verdict;
import io.hasp.conformance.processes.LockLoop.Outcome;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * The result of a torture.
 *
 * @param plan the executed plan; its seed repeats it
 * @param work the outcome of the clients' turns; failures are expected during a fault
 * @param injected the number of injections of each fault
 * @param verdicts the verdicts on the history: several violations, or one other verdict
 * @param history all events of the clients and the faults
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
     * Returns the clients that made progress in the end.
     *
     * @return the clients that got a lock after the last fault, with their names in the history
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
