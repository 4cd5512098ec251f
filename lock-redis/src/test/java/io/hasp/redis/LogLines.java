package io.hasp.redis;

import io.hasp.spi.LogQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/** What Hasp logs, from when this is made until it is closed. */
final class LogLines implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger("io.hasp");

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    LogLines() {
        LOGGER.addHandler(handler);
    }

    /** Those that contain the text, with their level. */
    List<String> with(String text) {
        LogQueue.flush(Duration.ofSeconds(10));
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    /** How many events there were: the numbers in the lines for many, and the lines for one. */
    int count(String many, String one) {
        Pattern number = Pattern.compile(many);
        int ofMany = with("").stream()
                .flatMap(line -> number.matcher(line).results())
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
        return ofMany + with(one).size();
    }

    @Override
    public void close() {
        LOGGER.removeHandler(handler);
    }
}
