package io.hasp.conformance.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The events that the clients of some locks recorded, in the order of time. Immutable. */
public final class History {
    private final List<Event> events;

    private History(List<Event> events) {
        this.events = events;
    }

    /**
     * Creates a history from events.
     *
     * @param events in any order; those of one client at one moment in the order in which they happened
     * @return the history
     */
    public static History of(Collection<Event> events) {
        return new History(
                events.stream().sorted(Comparator.comparingLong(Event::at)).toList());
    }

    /**
     * Reads the file of a {@link HistoryLog}. An incomplete last line is left out.
     *
     * @param file the file
     * @return the history
     * @throws UncheckedIOException if it can't be read
     * @throws IllegalArgumentException if it is not a history
     */
    public static History read(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return of(text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(Event::parse)
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Merges the histories of several processes of one machine.
     *
     * @param parts the histories; no client name in two of them
     * @return a history with all their events
     */
    public static History merge(Collection<History> parts) {
        return of(parts.stream().flatMap(part -> part.events.stream()).toList());
    }

    /**
     * Writes the history to a file for {@link #read}.
     *
     * @param file replaced if it exists
     * @throws UncheckedIOException if it can't be written
     */
    public void write(Path file) {
        try {
            Files.write(file, events.stream().map(Event::line).toList(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the events.
     *
     * @return all events, earliest first
     */
    public List<Event> events() {
        return events;
    }

    /**
     * Returns the locks in this history.
     *
     * @return their names, sorted
     */
    public List<String> locks() {
        return events.stream()
                .map(Event::lock)
                .filter(lock -> !lock.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Checks the history, lock by lock.
     *
     * @param checks the checks, see {@link Checks}
     * @return the first violation; else the first check that could not decide; else {@link Verdict.Sound}
     */
    public Verdict check(Check... checks) {
        return check(List.of(checks));
    }

    /**
     * Checks the history, lock by lock.
     *
     * @param checks the checks, see {@link Checks}
     * @return the first violation; else the first check that could not decide; else {@link Verdict.Sound}
     */
    public Verdict check(List<Check> checks) {
        return judge(checks, 1).get(0);
    }

    /**
     * Checks the history, lock by lock, and collects several violations.
     *
     * @param checks the checks, see {@link Checks}
     * @param most the largest number of violations per check and lock
     * @return all violations found; else the checks that could not decide; else one {@link Verdict.Sound}
     */
    public List<Verdict> judge(List<Check> checks, int most) {
        List<LockHistory> locks =
                locks().stream().map(lock -> LockHistory.of(this, lock)).toList();
        List<Verdict> verdicts = new ArrayList<>();
        for (Check check : checks) {
            locks.forEach(lock -> check.on(lock).limit(most).forEach(verdicts::add));
        }
        List<Verdict> broken =
                verdicts.stream().filter(Verdict.Broken.class::isInstance).toList();
        if (!broken.isEmpty()) {
            return broken;
        }
        if (!verdicts.isEmpty()) {
            return verdicts;
        }
        long granted = locks.stream().mapToLong(lock -> lock.grants().size()).sum();
        return List.of(new Verdict.Sound(checks.stream().map(Check::name).toList(), granted));
    }
}
