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
 * The lines that Hasp logs about some locks or servers, from when this is made until it is closed. Clients of earlier tests in the same
 * JVM may log at any time. Lines without one of the given texts are left out. Thread-safe.
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
     * Lines that are logged from now on.
     *
     * @param texts each line contains at least one of them, such as the name of a lock that no other test uses
     * @return to be closed
     */
    public static LogLines about(String... texts) {
        return new LogLines(List.of(texts));
    }

    /**
     * All until now, those that still wait for the logger among them.
     *
     * @return each with its level before it and what was thrown behind it
     */
    public List<String> all() {
        LogQueue.flush(LONGEST_WRITE);
        return lines.stream()
                .filter(line -> texts.stream().anyMatch(line::contains))
                .toList();
    }

    /**
     * Some of them.
     *
     * @param text what the lines contain
     * @return as {@link #all}
     */
    public List<String> with(String text) {
        return all().stream().filter(line -> line.contains(text)).toList();
    }

    /**
     * How many events the lines report: the numbers in the lines for many, and one for each of the others.
     *
     * @param many a pattern for the former, whose first group is the number
     * @param one what the latter contain
     * @return their sum
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
