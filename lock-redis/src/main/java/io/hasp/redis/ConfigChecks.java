package io.hasp.redis;

import io.hasp.spi.Credentials;
import io.hasp.spi.Tls;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The checks of the configurations. Each throws {@link IllegalArgumentException} naming the value and the rule. */
final class ConfigChecks {
    private ConfigChecks() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** A duration from one to another one, which the words name. */
    static void requireWithin(String name, @Nullable Duration value, Duration least, Duration most, String words) {
        require(
                value != null && value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                name + " is " + value + ": it must be from " + words);
    }

    static void requireClientName(String name) {
        require(name.matches("[!-~]+"), "clientName is '" + name + "': it takes printable ASCII without spaces");
    }

    /** An address of a list, with its port. */
    static String address(String what, String address, int defaultPort) {
        Optional<URI> uri = parsed(address)
                .filter(parts -> parts.getHost() != null && address.equals(parts.getRawAuthority()))
                .filter(parts -> parts.getUserInfo() == null && parts.getPort() <= 65535 && parts.getPort() != 0);
        require(uri.isPresent(), what + " '" + address + "' is not an address: it reads host or host:port");
        return uri.filter(parts -> parts.getPort() > 0).isPresent() ? address : address + ":" + defaultPort;
    }

    private static Optional<URI> parsed(String address) {
        try {
            return Optional.of(URI.create("any://" + address));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static void requireDistinct(String what, List<String> addresses) {
        for (String address : addresses) {
            long times = addresses.stream().filter(address::equalsIgnoreCase).count();
            require(times == 1, what + " " + address + " is given " + times + " times");
        }
    }

    /** The user of credentials that do not change, in words. */
    static String user(Optional<Supplier<Credentials>> credentials) {
        return credentials
                .filter(given -> given instanceof Credentials)
                .map(given -> ((Credentials) given).user())
                .filter(user -> !user.isEmpty())
                .map(user -> ", user " + user)
                .orElse("");
    }

    /** Of an address with its port. */
    static String host(String address) {
        String host = address.substring(0, address.lastIndexOf(':'));
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Of an address with its port. */
    static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    static void requireReadable(Tls tls) {
        tls.trustStore().ifPresent(file -> requireReadable("trustStore", file));
        tls.keyStore().ifPresent(file -> requireReadable("keyStore", file));
    }

    private static void requireReadable(String name, Path file) {
        require(Files.isReadable(file), name + " is " + file + ": it can't be read");
    }
}
