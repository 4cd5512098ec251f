package io.hasp.redis;

import io.hasp.spi.Credentials;
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

    /** Those to sign in with, fixed or of a provider. */
    static Optional<Supplier<Credentials>> credentials(
            Optional<String> user, Optional<String> password, Optional<Supplier<Credentials>> provider) {
        Optional<Credentials> fixed = password.map(secret -> new Credentials(user.orElse(""), secret));
        return provider.or(() -> fixed.map(known -> () -> known));
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

    /** A key store or trust store, by the name of its parameter. */
    static void requireStore(String name, boolean tls, Optional<Path> store, Optional<String> password) {
        require(tls || store.isEmpty(), name + " needs the scheme rediss");
        require(store.isPresent() || password.isEmpty(), name + "Password needs a " + name);
        store.ifPresent(file -> require(Files.isReadable(file), name + " is " + file + ": it can't be read"));
    }
}
