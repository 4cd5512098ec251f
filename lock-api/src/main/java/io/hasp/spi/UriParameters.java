package io.hasp.spi;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the query of a backend's URI strictly: a duplicate parameter, a malformed one and an unknown one are errors that name it. Not
 * thread-safe.
 */
public final class UriParameters {
    private static final Pattern SHORT_DURATION = Pattern.compile("(\\d{1,15})(us|ms|s|m|h)");

    /** The parameters that {@code LockClient.connect} takes out of the URI of any backend, before the backend sees it. */
    public static final Set<String> OF_EVERY_BACKEND =
            Set.of("renewedLease", "unavailableAfter", "maxHold", "ordering", "keep", "onLoss", "connect", "label");

    private final Map<String, String> given = new LinkedHashMap<>();
    private final TreeSet<String> known = new TreeSet<>();

    private boolean secret;

    private UriParameters() {}

    /**
     * Reads the query of a URI.
     *
     * @param uri with or without a query
     * @return its parameters
     * @throws IllegalArgumentException if a parameter has no value or appears twice
     */
    public static UriParameters of(URI uri) {
        UriParameters parameters = new UriParameters();
        String query = uri.getRawQuery();
        if (query == null || query.isEmpty()) {
            return parameters;
        }
        parameters.secret = query.contains("assword=");
        String[] pairs = query.split("&", -1);
        for (int i = 0; i < pairs.length; i++) {
            String pair = pairs[i];
            int equals = pair.indexOf('=');
            if (equals < 1) {
                // Perhaps the end of a password with a '&'.
                throw new IllegalArgumentException("URI parameter "
                        + (parameters.secret ? "number " + (i + 1) : "'" + pair + "'")
                        + " is not of the form name=value; " + UriAuthority.ENCODING);
            }
            String name = decode(pair.substring(0, equals));
            if (parameters.given.put(name, decode(pair.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("URI parameter '" + parameters.shown(name) + "' is given twice");
            }
        }
        return parameters;
    }

    /** Hides what may be the end of a password with a '&' that is not encoded. */
    private String shown(String text) {
        return secret ? "…" : text;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /**
     * Reads a parameter as text.
     *
     * @param name the parameter's name; reading it makes the parameter known to {@link #rejectUnknown}
     * @return its value, or empty if it is not given
     */
    public Optional<String> text(String name) {
        known.add(name);
        return Optional.ofNullable(given.get(name));
    }

    /**
     * Reads a parameter as a duration such as {@code 200us}, {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h} or ISO-8601
     * ({@code PT0.5S}).
     *
     * @param name the parameter's name; reading it makes the parameter known to {@link #rejectUnknown}
     * @return its value, or empty if it is not given
     * @throws IllegalArgumentException if it is not a duration
     */
    public Optional<Duration> duration(String name) {
        return text(name).map(value -> {
            try {
                return durationOf(value);
            } catch (IllegalArgumentException e) {
                throw secret
                        ? new IllegalArgumentException("URI parameter " + name + "=… is not a duration")
                        : new IllegalArgumentException("URI parameter " + name + "=" + e.getMessage(), e);
            }
        });
    }

    /**
     * Reads a duration as URIs write it.
     *
     * @param text such as {@code 200us}, {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h} or ISO-8601 ({@code PT0.5S})
     * @return the duration
     * @throws IllegalArgumentException with a message that begins with the text, if it is no duration
     */
    public static Duration durationOf(String text) {
        Matcher matcher = SHORT_DURATION.matcher(text);
        try {
            return matcher.matches()
                    ? ofUnit(Long.parseLong(matcher.group(1)), matcher.group(2))
                    : Duration.parse(text);
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(text + " is not a duration such as 500ms, 30s, 5m or PT0.5S", e);
        }
    }

    private static Duration ofUnit(long amount, String unit) {
        return switch (unit) {
            case "us" -> Duration.of(amount, ChronoUnit.MICROS);
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /**
     * Reads a parameter as a whole number.
     *
     * @param name the parameter's name; reading it makes the parameter known to {@link #rejectUnknown}
     * @param least the smallest allowed
     * @param most the largest allowed
     * @return its value, or empty if it is not given
     * @throws IllegalArgumentException if it is not a number in that range
     */
    public Optional<Integer> number(String name, int least, int most) {
        return text(name).map(value -> {
            try {
                int number = Integer.parseInt(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Answered below, with the rule.
            }
            throw new IllegalArgumentException("URI parameter " + name + "=" + shown(value)
                    + " is not a whole number from " + least + " to " + most);
        });
    }

    /**
     * Reads a parameter as {@code true} or {@code false}.
     *
     * @param name the parameter's name; reading it makes the parameter known to {@link #rejectUnknown}
     * @return its value, or empty if it is not given
     * @throws IllegalArgumentException if it is neither
     */
    public Optional<Boolean> flag(String name) {
        return text(name).map(value -> switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new IllegalArgumentException(
                        "URI parameter " + name + "=" + shown(value) + " is neither true nor false");
        });
    }

    /**
     * Ends the reading.
     *
     * @throws IllegalArgumentException if a given parameter was not read. The message names it and the known parameters, with {@link
     *     #OF_EVERY_BACKEND}
     */
    public void rejectUnknown() {
        for (String name : given.keySet()) {
            if (OF_EVERY_BACKEND.contains(name)) {
                throw new IllegalArgumentException("URI parameter '" + name
                        + "' is of the client, not of the backend: LockClient.connect reads it");
            }
            if (!known.contains(name)) {
                TreeSet<String> all = new TreeSet<>(known);
                all.addAll(OF_EVERY_BACKEND);
                throw new IllegalArgumentException("URI parameter '" + shown(name) + "' is unknown: known are " + all);
            }
        }
    }

    /**
     * Ends the reading of a program that opens its clients with parameters of its own.
     *
     * @param reader the program, such as {@code a comparison}
     * @throws IllegalArgumentException if a given parameter was not read: names it, and the parameters of the reader
     */
    public void rejectOthers(String reader) {
        for (String name : given.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("URI parameter '" + shown(name) + "' is refused: " + reader
                        + " takes " + known + " and sets the others itself");
            }
        }
    }
}
