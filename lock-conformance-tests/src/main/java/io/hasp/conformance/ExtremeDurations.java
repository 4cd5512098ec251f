package io.hasp.conformance;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Lists the members of a module's public types that take a {@link Duration}, and rarely used durations to call them
 * with. Stateless.
 */
public final class ExtremeDurations {
    private static final int RANDOM = 8;

    private ExtremeDurations() {}

    /**
     * Returns zero, negative, tiny and huge durations, and some random ones.
     *
     * @param random the source of the random durations; the same seed gives the same list
     * @return a list without null
     */
    public static List<Duration> all(SplittableRandom random) {
        List<Duration> all = new ArrayList<>(List.of(
                Duration.ZERO,
                Duration.ofNanos(1),
                Duration.ofNanos(-1),
                Duration.ofNanos(Long.MAX_VALUE / 8),
                Duration.ofNanos(Long.MAX_VALUE),
                Duration.ofNanos(Long.MIN_VALUE),
                Duration.ofNanos(Long.MAX_VALUE).plusNanos(1),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                Duration.ofSeconds(Long.MIN_VALUE)));
        for (int i = 0; i < RANDOM; i++) {
            all.add(Duration.ofSeconds(random.nextLong() >> random.nextInt(64), random.nextInt(1_000_000_000)));
        }
        return all;
    }

    /**
     * Returns the public methods and constructors that take a duration.
     *
     * @param module any class of the module
     * @param packages the packages that the module exports; only their public types are searched
     * @return in no particular order
     */
    public static List<Executable> taken(Class<?> module, String... packages) {
        List<Executable> taking = new ArrayList<>();
        for (String file : classFiles(module)) {
            String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
            if (List.of(packages).contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))))) {
                add(module, name, taking);
            }
        }
        return taking;
    }

    private static void add(Class<?> module, String name, List<Executable> taking) {
        members(module, name)
                .filter(member -> Modifier.isPublic(member.getModifiers()) && isWritten(member))
                .filter(member -> List.of(member.getParameterTypes()).contains(Duration.class))
                .forEach(taking::add);
    }

    /** In the sources: there is a bridge for each public method that a public class inherits from one that is not. */
    private static boolean isWritten(Executable member) {
        return !member.isSynthetic()
                || Stream.of(member.getDeclaringClass().getDeclaredMethods())
                        .noneMatch(other -> !other.isSynthetic()
                                && other.getName().equals(member.getName())
                                && Arrays.equals(other.getParameterTypes(), member.getParameterTypes()));
    }

    /** Returns no member of a type whose libraries are not on the class path: no program can call it here. */
    private static Stream<Executable> members(Class<?> module, String name) {
        try {
            Class<?> type = Class.forName(name, false, module.getClassLoader());
            return isPublic(type)
                    ? Stream.concat(Stream.of(type.getConstructors()), Stream.of(type.getDeclaredMethods()))
                    : Stream.empty();
        } catch (NoClassDefFoundError missing) {
            return Stream.empty();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    private static List<String> classFiles(Class<?> module) {
        try {
            Path place = Path.of(
                    module.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(place)) {
                try (Stream<Path> all = Files.walk(place)) {
                    return all.map(file -> place.relativize(file).toString().replace(File.separatorChar, '/'))
                            .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                            .toList();
                }
            }
            try (JarFile jar = new JarFile(place.toFile())) {
                return jar.stream()
                        .map(JarEntry::getName)
                        .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
