package io.hasp.spi;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the credentials and the hosts of a backend's URI. Immutable. No message of this class and no text form repeats a part of the URI
 * that may belong to a password.
 *
 * <p>Several IPv6 addresses are no authority in the grammar of {@link URI}. {@code LockClient.connect(String)} percent-encodes their
 * brackets, and this class restores them: {@code zookeeper://%5B::1%5D:2181,%5B::1%5D:2182} names {@code [::1]:2181} and
 * {@code [::1]:2182}.
 */
public final class UriAuthority {
    /** The advice of messages about a URI that may hold an unencoded password. */
    public static final String ENCODING = "in a password the characters / ? # @ : % & and space are percent-encoded:"
            + " %2F %3F %23 %40 %3A %25 %26 %20";

    /** A parameter that may hold an '@' of its own. */
    private static final Pattern PASSWORD_PARAMETER = Pattern.compile("[A-Za-z]*[Pp]assword=[^&#]*");

    private final @Nullable String userInfo;
    private final List<String> hosts;

    private UriAuthority(@Nullable String userInfo, List<String> hosts) {
        this.userInfo = userInfo;
        this.hosts = hosts;
    }

    /**
     * Reads the authority.
     *
     * @param uri of any scheme
     * @return its credentials and hosts
     * @throws IllegalArgumentException if an '@' stands behind the hosts, outside of a parameter whose name ends in
     *     {@code password}: then a part of an unencoded password was read as a host, a path, a query or a fragment
     */
    public static UriAuthority of(URI uri) {
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        requireNoPasswordBehind(uri);
        int at = authority.lastIndexOf('@');
        String hosts = authority.substring(at + 1).replace("%5B", "[").replace("%5D", "]");
        return new UriAuthority(
                at < 0 ? null : authority.substring(0, at),
                hosts.isEmpty() ? List.of() : List.of(hosts.split(",", -1)));
    }

    private static void requireNoPasswordBehind(URI uri) {
        String behind = uri.isOpaque() ? uri.getRawSchemeSpecificPart() : text(uri.getRawPath());
        String query = PASSWORD_PARAMETER.matcher(text(uri.getRawQuery())).replaceAll("");
        if ((behind + query + text(uri.getRawFragment())).indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "the URI has an '@' behind its hosts, as if a password were not encoded: " + ENCODING);
        }
    }

    private static String text(@Nullable String part) {
        return part == null ? "" : part;
    }

    /**
     * Returns the user.
     *
     * @return decoded; empty if there is none
     * @throws IllegalArgumentException if there is a user without a colon and a password
     */
    public Optional<String> user() {
        return credential(0);
    }

    /**
     * Returns the password.
     *
     * @return decoded; empty if there is none
     * @throws IllegalArgumentException if there is a user without a colon and a password
     */
    public Optional<String> password() {
        return credential(1);
    }

    private Optional<String> credential(int part) {
        if (userInfo == null) {
            return Optional.empty();
        }
        int colon = userInfo.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException(
                    "there is a user without a password: write user:password@ or :password@");
        }
        String raw = part == 0 ? userInfo.substring(0, colon) : userInfo.substring(colon + 1);
        // Outside of a query a plus is a plus.
        return Optional.of(URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8))
                .filter(text -> !text.isEmpty());
    }

    /**
     * Returns the hosts.
     *
     * @return each {@code host} or {@code host:port}, unchecked, an IPv6 address in brackets; empty if there are none
     */
    public List<String> hosts() {
        return hosts;
    }

    /** Names the hosts without the credentials. */
    @Override
    public String toString() {
        return String.join(",", hosts);
    }
}
