package io.hasp.redis;

/** The server answered with an error; the message is its reply, such as {@code OOM command not allowed …}. */
final class ServerError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerError(String reply) {
        super(reply, null, false, false);
    }

    String reply() {
        return String.valueOf(getMessage());
    }
}
