package io.hasp.spring;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the configuration of a lock client or a locked method is wrong. One line gives the reason, and the name of
 * the property to set, if there is one.
 */
public final class HaspConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Creates an exception with a problem and its cure.
     *
     * @param problem names the property, bean or method
     * @param action the suggested action
     * @param cause null if there is none
     */
    public HaspConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /** Refuses a value with a message that begins with the value's name in the API. */
    public static HaspConfigurationException ofProperty(RuntimeException refusal) {
        return ofProperty("hasp.", refusal);
    }

    /** Refuses a value with a message that begins with the value's name in the API, which is that of a property under the prefix. */
    public static HaspConfigurationException ofProperty(String prefix, RuntimeException refusal) {
        String message = String.valueOf(refusal.getMessage());
        int end = Math.max(message.indexOf(' '), 0);
        String name = message.substring(0, end).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        return new HaspConfigurationException(prefix + name + message.substring(end), "Set another value.", refusal);
    }

    /**
     * Returns the suggested action.
     *
     * @return in words
     */
    public String action() {
        return action;
    }
}
