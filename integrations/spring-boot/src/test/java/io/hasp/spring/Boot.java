package io.hasp.spring;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Spring Boot of the generation under test, whose classes have other names in the other one. {@code lock-spring-boot3} compiles and
 * runs the tests of this folder, too.
 */
public final class Boot {
    private static final List<String> REDIS = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration");

    private static final List<String> DETAILS = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
            "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails");

    private static final List<String> DATABASE = List.of(
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration",
            "org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration");

    private static final List<String> JDBC_DETAILS = List.of(
            "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails",
            "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails");

    private static final List<String> METRICS = List.of(
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration");

    private Boot() {}

    /** With the registries of metrics and observations that Boot makes. */
    static ApplicationContextRunner withMetrics() {
        return withHasp().withConfiguration(AutoConfigurations.of(present(METRICS)));
    }

    /** Hasp alone. */
    public static ApplicationContextRunner withHasp() {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ofHasp()));
    }

    /** With what {@code spring.data.redis.*} configures. */
    static ApplicationContextRunner withRedis(String... properties) {
        return withHasp()
                .withConfiguration(AutoConfigurations.of(present(REDIS)))
                .withPropertyValues(properties);
    }

    /** With what {@code spring.datasource.*} configures. */
    static ApplicationContextRunner withDatabase(String... properties) {
        return withHasp()
                .withConfiguration(AutoConfigurations.of(present(DATABASE)))
                .withPropertyValues(properties);
    }

    /** With what {@code spring.datasource.*} and {@code spring.data.redis.*} configure. */
    static ApplicationContextRunner withDatabaseAndRedis(String... properties) {
        return withDatabase(properties).withConfiguration(AutoConfigurations.of(present(REDIS)));
    }

    /** As {@code @ServiceConnection} makes them. */
    @SuppressWarnings("unchecked")
    static Class<Object> jdbcDetailsType() {
        return (Class<Object>) present(JDBC_DETAILS)[0];
    }

    /** Those of a database. */
    static Object jdbcDetails(String url) {
        return answering(
                jdbcDetailsType().getName(),
                Map.of(
                        "getJdbcUrl", url,
                        "getUsername", "postgres",
                        "getPassword", "secret",
                        "getDriverClassName", "org.postgresql.Driver"));
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
        return !name.contains("LockHealth") || !isBoot3();
    }

    static boolean isBoot3() {
        return present(List.of("org.springframework.boot.health.contributor.HealthIndicator")).length == 0;
    }

    /** As {@code @ServiceConnection} makes them. */
    @SuppressWarnings("unchecked")
    static Class<Object> redisDetailsType() {
        return (Class<Object>) present(DETAILS)[0];
    }

    /** Those of a server at 127.0.0.1. */
    static Object redisDetails(int port, String password) {
        return redisDetails(port, () -> password);
    }

    /** Those of a server whose password may change. */
    static Object redisDetails(int port, Supplier<String> password) {
        Object server = answering(
                redisDetailsType().getName() + "$Standalone",
                Map.of("getHost", "127.0.0.1", "getPort", port, "getDatabase", 0));
        return answering(redisDetailsType().getName(), Map.of("getPassword", password, "getStandalone", server));
    }

    private static Object answering(String type, Map<String, Object> answers) {
        Class<?> only = present(List.of(type))[0];
        return Proxy.newProxyInstance(
                only.getClassLoader(), new Class<?>[] {only}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> type;
                    default ->
                        answers.get(method.getName()) instanceof Supplier<?> present
                                ? present.get()
                                : answers.get(method.getName());
                });
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

    /** Binds {@code hasp.*}. */
    public static HaspProperties properties(Map<String, String> given) {
        return new Binder(new MapConfigurationPropertySource(given)).bindOrCreate("hasp", HaspProperties.class);
    }

    /** The messages from a failure down to its root. */
    public static String said(@Nullable Throwable failure) {
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
    public static HaspConfigurationException explained(@Nullable Throwable failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof HaspConfigurationException found) {
                return found;
            }
        }
        throw new AssertionError("no explanation in " + said(failure));
    }
}
