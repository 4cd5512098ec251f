package io.hasp.redis.script;

/** The server answered with an error; the message is its reply, such as {@code OOM command not allowed …}. */
public final class ErrorReplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean sentBefore;

    public ErrorReplyException(String reply) {
        this(reply, false);
    }

    /** Creates the reply to a request that was sent twice: the first copy may have been served, even if the second was refused. */
    public ErrorReplyException(String reply, boolean sentBefore) {
        super(reply, null, false, false);
        this.sentBefore = sentBefore;
    }

    String reply() {
        return String.valueOf(getMessage());
    }

    boolean sentBefore() {
        return sentBefore;
    }
}
