package io.hasp.redis.cluster;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public record Address(String host, int port) {
    private static final Pattern REDIRECTION = Pattern.compile("(?:MOVED|ASK) \\d+ (.*):(\\d{1,5})");

    /**
     * The address that an error reply redirects to; empty if it does not redirect. A node that does not know its own name leaves it out.
     */
    static Optional<Address> redirected(String reply, Address answering) {
        Matcher parts = REDIRECTION.matcher(reply);
        return parts.matches()
                ? Optional.of(of(parts.group(1), Integer.parseInt(parts.group(2)), answering))
                : Optional.empty();
    }

    /** An address as another node reports it. An empty host, or {@code ?}, means the reporting node's host. */
    static Address of(String host, int port, Address answering) {
        return new Address(host.isEmpty() || host.equals("?") ? answering.host : host, port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
