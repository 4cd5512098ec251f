package io.hasp.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Spring Boot of the generation under test, whose classes have other names in the other one. {@code lock-spring-boot3} compiles and
 * runs the tests of this folder, too.
 */
final class Boot {
    private static final List<String> REDIS = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration");

    private Boot() {}

    /** Hasp alone. */
    static ApplicationContextRunner withHasp() {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ofHasp()));
    }

    /** With what {@code spring.data.redis.*} configures. */
    static ApplicationContextRunner withRedis(String... properties) {
        return withHasp()
                .withConfiguration(AutoConfigurations.of(present(REDIS)))
                .withPropertyValues(properties);
    }

    /** As they are listed in the jars. */
    private static Class<?>[] ofHasp() {
        List<String> listed = new ArrayList<>();
        ImportCandidates.load(AutoConfiguration.class, Boot.class.getClassLoader())
                .forEach(listed::add);
        listed.removeIf(name -> !name.startsWith("io.hasp.") || !isOfThisGeneration(name));
        return present(listed);
    }

    /** The other ones are excluded by Boot before they are loaded. */
    private static boolean isOfThisGeneration(String name) {
        boolean health = name.contains("LockHealth");
        return !health || present(List.of("org.springframework.boot.health.contributor.HealthIndicator")).length > 0;
    }

    private static Class<?>[] present(List<String> names) {
        return names.stream().flatMap(Boot::find).toArray(Class<?>[]::new);
    }

    private static Stream<Class<?>> find(String name) {
        try {
            return Stream.of(Class.forName(name));
        } catch (ClassNotFoundException e) {
            return Stream.of();
        }
    }

    /** The messages from a failure down to its root. */
    static String said(@Nullable Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            all.append(each.getClass().getSimpleName())
                    .append(": ")
                    .append(each.getMessage())
                    .append('\n');
        }
        return all.toString();
    }

    /** The one that explains itself. */
    static HaspConfigurationException explained(@Nullable Throwable failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof HaspConfigurationException found) {
                return found;
            }
        }
        throw new AssertionError("no explanation in " + said(failure));
    }
}
