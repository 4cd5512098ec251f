package io.hasp.zookeeper;

import io.hasp.spi.Tls;
import io.hasp.spi.UriAuthority;
import io.hasp.spi.UriParameters;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/** Reads the URI that {@link ZooKeeperConfig} describes. Messages never repeat the part with the credentials. */
final class ZooKeeperUri {
    private final URI uri;
    private final UriAuthority authority;
    private final UriParameters parameters;

    ZooKeeperUri(URI uri) {
        this.uri = uri;
        this.authority = UriAuthority.of(uri);
        this.parameters = UriParameters.of(uri);
    }

    ZooKeeperConfig read() {
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("a zookeeper URI has no fragment, behind '#'; " + UriAuthority.ENCODING);
        }
        Optional<DigestCredentials> digest = digest();
        String servers = String.join(",", authority.hosts());
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a zookeeper URI names its servers: zookeeper://host:2181,host:2181");
        }
        ZooKeeperLocks locks = new ZooKeeperLocks(
                root(),
                acl(digest),
                parameters.duration("commandTimeout").orElse(ZooKeeperLocks.DEFAULT_COMMAND_TIMEOUT));
        ZooKeeperConfig config = new ZooKeeperConfig(
                servers,
                locks,
                parameters.duration("sessionTimeout").orElse(ZooKeeperConfig.DEFAULT_SESSION_TIMEOUT),
                parameters.duration("connectionTimeout").orElse(ZooKeeperConfig.DEFAULT_CONNECTION_TIMEOUT),
                digest,
                Optional.empty(),
                tls());
        parameters.rejectUnknown();
        return config;
    }

    private Optional<DigestCredentials> digest() {
        Optional<String> user = authority.user();
        Optional<String> password = authority.password();
        return user.isEmpty() && password.isEmpty()
                ? Optional.empty()
                : Optional.of(new DigestCredentials(user.orElse(""), password.orElse("")));
    }

    private String root() {
        String path = decode(uri.getRawPath() == null ? "" : uri.getRawPath());
        String parent = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return parent + ZooKeeperLocks.DEFAULT_ROOT;
    }

    /** Outside the query a plus is a plus. */
    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private List<ACL> acl(Optional<DigestCredentials> digest) {
        String acl = parameters.text("acl").orElse(digest.isPresent() ? "creator" : "open");
        if (acl.equals("open")) {
            return ZooDefs.Ids.OPEN_ACL_UNSAFE;
        }
        if (!acl.equals("creator")) {
            throw new IllegalArgumentException("acl=" + acl + " is unknown: known are open, creator");
        }
        if (digest.isEmpty()) {
            throw new IllegalArgumentException("acl=creator needs credentials: zookeeper://user:password@host");
        }
        return ZooDefs.Ids.CREATOR_ALL_ACL;
    }

    private Optional<Tls> tls() {
        boolean encrypted = parameters.flag("tls").orElse(false);
        Tls tls = new Tls(
                parameters.text("trustStore").map(Path::of),
                parameters.text("trustStorePassword").orElse(""),
                parameters.text("keyStore").map(Path::of),
                parameters.text("keyStorePassword").orElse(""));
        if (encrypted) {
            return Optional.of(tls);
        }
        if (!tls.equals(Tls.defaults())) {
            throw new IllegalArgumentException("trustStore and keyStore need tls=true");
        }
        return Optional.empty();
    }
}
