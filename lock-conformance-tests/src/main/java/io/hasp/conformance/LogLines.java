package io.hasp.conformance;

import io.hasp.spi.LogQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Collects Hasp's log lines about certain locks or servers, from creation until {@link #close}. Clients of earlier
 * tests in the same JVM may log at any time, so lines without any of the given texts are left out. Thread-safe.
 */
public final class LogLines implements AutoCloseable {
    private static final Duration LONGEST_WRITE = Duration.ofSeconds(30);
    private static final Logger LOGGER = Logger.getLogger("io.hasp");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            String thrown = line.getThrown() == null ? "" : " thrown: " + line.getThrown();
            lines.add(line.getLevel() + " " + line.getMessage() + thrown);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final List<String> texts;

    private LogLines(List<String> texts) {
        this.texts = texts;
        LogQueue.flush(LONGEST_WRITE);
        LOGGER.addHandler(handler);
    }

    /**
     * Starts to collect.
     *
     * @param texts each collected line contains at least one of them, for example the name of a lock that no other test
     *     uses
     * @return an open collector; the caller closes it
     */
    public static LogLines about(String... texts) {
        return new LogLines(List.of(texts));
    }

    /**
     * Returns all lines until now, including those still queued for the logger.
     *
     * @return each line with its level in front and its exception behind
     */
    public List<String> all() {
        LogQueue.flush(LONGEST_WRITE);
        return lines.stream()
                .filter(line -> texts.stream().anyMatch(line::contains))
                .toList();
    }

    /**
     * Returns the lines that contain a text.
     *
     * @param text the text
     * @return in the form of {@link #all}
     */
    public List<String> with(String text) {
        return all().stream().filter(line -> line.contains(text)).toList();
    }

    /**
     * Counts the reported events: a line about many events counts as the number in it, every other line as one.
     *
     * @param many matches the lines about many events; its first group is the number
     * @param one a text of the lines about one event
     * @return the sum
     */
    public int count(String many, String one) {
        Pattern number = Pattern.compile(many);
        Stream<Integer> ofMany = all().stream()
                .flatMap(line -> number.matcher(line).results())
                .map(found -> Integer.parseInt(found.group(1)));
        return ofMany.mapToInt(Integer::intValue).sum() + with(one).size();
    }

    @Override
    public void close() {
        LOGGER.removeHandler(handler);
    }
}
