package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.Subject.Role;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A lock that does not come with this comparison: a {@link LockSubject} that {@link ServiceLoader} finds in jars of the user's.
 *
 * @param lock the lock, of no servers yet
 * @param service what it runs on
 * @param jars where it is
 */
public record JarSubject(LockSubject lock, Service service, List<Path> jars) implements Participant {
    static final String AT = "@";

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

    /**
     * Loads locks.
     *
     * @param jars theirs, and those of the libraries that they need and this comparison has not
     * @return at least one
     * @throws IllegalArgumentException with the reason, if there is none or one can't take part
     */
    public static List<JarSubject> in(List<Path> jars) {
        List<JarSubject> found = new ArrayList<>();
        try {
            for (LockSubject lock : ServiceLoader.load(LockSubject.class, loader(jars))) {
                found.add(new JarSubject(lock, serviceOf(lock), jars));
            }
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException(jars.stream().map(Path::toString).collect(Collectors.joining(", "))
                    + " has no META-INF/services/" + LockSubject.class.getName() + " that names a lock");
        }
        return found;
    }

    private static URLClassLoader loader(List<Path> jars) {
        URL[] urls = jars.stream().map(JarSubject::url).toArray(URL[]::new);
        return new URLClassLoader(urls, JarSubject.class.getClassLoader());
    }

    private static URL url(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("there is no file " + jar);
        }
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(jar + " is no file name", e);
        }
    }

    private static Service serviceOf(LockSubject lock) {
        String name = lock.name();
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name '" + name + "' has other characters than a–z, 0–9 and -");
        }
        if (Stream.of(Subject.values()).anyMatch(each -> each.label().equals(name))) {
            throw new IllegalArgumentException("the name '" + name + "' belongs to a lock that comes with Hasp");
        }
        String scheme = lock.backend();
        return Stream.of(Service.values())
                .filter(each -> each.scheme().equals(scheme.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the backend() of '" + name + "' is '" + scheme
                        + "': it has to be one of "
                        + Stream.of(Service.values()).map(Service::scheme).collect(Collectors.joining(", "))));
    }

    static JarSubject of(String reference) {
        int at = reference.indexOf(AT);
        List<Path> jars = Arrays.stream(reference.substring(at + 1).split(Pattern.quote(File.pathSeparator)))
                .map(Path::of)
                .toList();
        return in(jars).stream()
                .filter(each -> each.label().equals(reference.substring(0, at)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no lock " + reference));
    }

    @Override
    public String label() {
        return lock.name();
    }

    @Override
    public String reference() {
        return label()
                + AT
                + jars.stream()
                        .map(jar -> jar.toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator));
    }

    @Override
    public Role role() {
        return Role.PEER;
    }

    @Override
    public LockSubject in(Environment environment) {
        return switch (service) {
            case REDIS -> lock.at(environment.redis());
            case REDLOCK -> lock.at(environment.redlock());
            case ZOOKEEPER -> lock.at(environment.zookeeper());
            case POSTGRES -> lock.at(environment.postgres());
            default -> throw new IllegalStateException("no servers for " + label());
        };
    }
}
