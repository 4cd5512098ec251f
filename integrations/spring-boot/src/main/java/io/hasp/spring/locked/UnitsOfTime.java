package io.hasp.spring.locked;

import io.hasp.spring.HaspConfigurationException;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Refuses a time without a unit: Spring Boot reads a number as milliseconds, while most users give a lease in seconds.
 */
public final class UnitsOfTime {
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+");
    private static final List<String> TIMES = List.of(
            "command-timeout",
            "acknowledge-within",
            "renewed-lease",
            "unavailable-after",
            "max-hold",
            "keep",
            "close-within",
            "election.pause");

    private UnitsOfTime() {}

    public static void require(Environment environment) {
        Binder binder = Binder.get(environment);
        for (String time : TIMES) {
            String property = "hasp." + time;
            String text = binder.bind(property, String.class).orElse("").strip();
            if (NUMBER.matcher(text).matches()) {
                throw new HaspConfigurationException(
                        property + " is " + text + ", without a unit",
                        "Write one, such as " + text + "s or " + text + "ms.",
                        null);
            }
        }
    }
}
