package io.hasp;

import io.hasp.spi.UriAuthority;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the URI of a lock service from its source, and hides its credentials: messages never repeat them. */
final class ServiceUri {
    /** The environment variable that {@link LockClient#connect()} reads. */
    static final String VARIABLE = "HASP_URI";

    /** Examples for users who gave an address alone. */
    static final String EXAMPLES =
            "such as redis://127.0.0.1:6379, zookeeper://127.0.0.1:2181 or postgresql://user:password@127.0.0.1/app";

    private ServiceUri() {}

    static URI parse(String what, @Nullable String uri) {
        if (uri == null) {
            throw new InvalidArgumentException(what + " is null");
        }
        try {
            return new URI(withEncodedBrackets(uri));
        } catch (URISyntaxException e) {
            // Without its message and the cause: both repeat the text, which may hold a password.
            throw new InvalidArgumentException(what + " is not a URI: " + e.getReason() + " at index " + e.getIndex()
                    + "; " + UriAuthority.ENCODING + "; a URI begins with a scheme that names a backend, " + EXAMPLES);
        }
    }

    /** There is no default: a lock that excludes no other process, because of a forgotten setting, is worse than no start. */
    static URI of(Map<String, String> environment) {
        String uri = environment.get(VARIABLE);
        if (uri == null || uri.isBlank()) {
            throw new InvalidArgumentException("no lock service is named: set the environment variable " + VARIABLE
                    + " to its URI, " + EXAMPLES + ", or connect to a URI ("
                    + BackendLookup.usual().found() + ")");
        }
        return parse(VARIABLE, uri.strip());
    }

    /** Encodes the brackets of IPv6 addresses: the grammar of URIs has no list of them. {@link UriAuthority} restores the brackets. */
    private static String withEncodedBrackets(String uri) {
        int begin = uri.indexOf("://") + 3;
        int end = begin;
        while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
            end++;
        }
        int hosts = Math.max(begin, uri.lastIndexOf('@', end - 1) + 1);
        if (begin < 3 || hosts > end || uri.substring(hosts, end).indexOf(',') < 0) {
            return uri;
        }
        String encoded = uri.substring(hosts, end).replace("[", "%5B").replace("]", "%5D");
        return uri.substring(0, hosts) + encoded + uri.substring(end);
    }

    static String withoutCredentials(URI uri) {
        return uri.getScheme() + "://" + authority(uri);
    }

    /** Returns the credentials and hosts of a URI that shows no sign of an unencoded password. */
    static UriAuthority authority(URI uri) {
        try {
            return UriAuthority.of(uri);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(String.valueOf(e.getMessage()), e);
        }
    }
}
