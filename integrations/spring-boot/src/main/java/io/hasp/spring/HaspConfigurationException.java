package io.hasp.spring;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A lock client or a locked method can't work as it is configured. One line says why, and names the property to set, if it is one. */
public final class HaspConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Says what is wrong and what helps.
     *
     * @param problem names the property, bean or method
     * @param action what to do
     * @param cause null if there is none
     */
    public HaspConfigurationException(String problem, String action, @Nullable Throwable cause) {
        super(problem, cause);
        this.action = action;
    }

    /** A value is refused by a message that begins with its name as programs write it. */
    public static HaspConfigurationException ofProperty(RuntimeException refusal) {
        String message = String.valueOf(refusal.getMessage());
        int end = Math.max(message.indexOf(' '), 0);
        String name = message.substring(0, end).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        return new HaspConfigurationException("hasp." + name + message.substring(end), "Set another value.", refusal);
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
