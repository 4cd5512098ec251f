package io.hasp.spring;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Spring Boot of the generation under test, whose classes have other names in the other one. {@code lock-spring-boot-3} compiles and
 * runs the tests of this folder, too.
 */
final class Boot {
    private static final List<String> OF_HASP = List.of(
            "io.hasp.spring.HaspAutoConfiguration",
            "io.hasp.spring.LockedAutoConfiguration",
            "io.hasp.spring3.Hasp3AutoConfiguration");
    private static final List<String> REDIS = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration");

    private Boot() {}

    /** Hasp alone. */
    static ApplicationContextRunner withHasp() {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(present(OF_HASP)));
    }

    /** With what {@code spring.data.redis.*} configures. */
    static ApplicationContextRunner withRedis(String... properties) {
        return withHasp()
                .withConfiguration(AutoConfigurations.of(present(REDIS)))
                .withPropertyValues(properties);
    }

    static Class<?>[] present(List<String> names) {
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
