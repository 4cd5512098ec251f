package io.hasp.conformance.servers;

/** An error reply of a Redis server. The connection it came from stays usable. */
public final class RespError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RespError(String message) {
        super(message);
    }

    /**
     * The first word of the reply.
     *
     * @return such as {@code ERR}, {@code NOSCRIPT}, {@code LOADING}
     */
    public String code() {
        String message = String.valueOf(getMessage());
        int space = message.indexOf(' ');
        return space < 0 ? message : message.substring(0, space);
    }
}
