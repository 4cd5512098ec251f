package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The jars name what they reach by name, for GraalVM's native images. No image was built from them: the tests compare the metadata with
 * the calls that look for classes, methods and resources.
 */
class NativeMetadataTest {
    private static final String SERVICE = "META-INF/services/io.hasp.spi.LockBackendProvider";

    /** Guice makes classes at run time, and Spring's hints are made when an application is built. The suite is for tests. */
    private static final Set<String> WITHOUT = Set.of(
            "lock-guice", "lock-spring-boot", "lock-spring-boot3", "lock-spring-integration", "lock-conformance-tests");

    private static final Pattern BY_NAME = Pattern.compile(
            "java\\.lang\\.Class\\.(forName|getResource.*|get(Declared)?(Method|Field|Constructor)s?)\\(.*"
                    + "|java\\.lang\\.ClassLoader\\.(loadClass|getResource.*)\\(.*"
                    + "|java\\.lang\\.reflect\\.(Proxy\\.newProxyInstance|Method\\.invoke|Constructor\\.newInstance)\\(.*"
                    + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.find.*"
                    + "|java\\.util\\.ServiceLoader\\.load\\(.*");

    /** Each class that looks something up by name, and where that is named. */
    private static final Map<String, String> LOOKUPS = Map.ofEntries(
            Map.entry("io.hasp.FlightRecording", "lock-api names its two types"),
            Map.entry("io.hasp.BackendLookup", "each backend names its providers"),
            Map.entry(
                    "io.hasp.locked.spi.LockedMethods",
                    "an application's own methods, which its framework's hints name"),
            Map.entry("io.hasp.locked.spi.LockedAnnotations", "an application's own annotations, likewise"),
            Map.entry("io.hasp.locked.spi.ParameterPath", "an application's own records and beans, likewise"),
            Map.entry("io.hasp.postgres.BlockingCalls", "lock-postgres names Thread.isVirtual"),
            Map.entry("io.hasp.postgres.Connections", "lock-postgres names the proxy"),
            Map.entry("io.hasp.postgres.Database", "lock-postgres names the socket factory"),
            Map.entry("io.hasp.postgres.Schema", "lock-postgres names its schema"),
            Map.entry("io.hasp.redis.RedisConfig$Library", "lock-redis names a type of each client library"),
            Map.entry("io.hasp.redis.blocking.PlatformThreads", "lock-redis names Thread.isVirtual"),
            Map.entry("io.hasp.redis.lettuce.ClosingOnError", "lock-redis names the proxy and its methods"),
            Map.entry("io.hasp.redis.script.LuaScript", "lock-redis names its scripts"),
            Map.entry("io.hasp.redis.redisson", "lock-redis names Redisson's settings"),
            Map.entry("io.hasp.zookeeper.session.ClientLibrary", "lock-zookeeper names CreateOptions"));

    static List<String> artifacts() {
        return LocalRepository.ARTIFACTS.stream()
                .filter(artifact -> !WITHOUT.contains(artifact))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("artifacts")
    void everything_that_is_named_exists_and_each_provider_and_script_is_named(String artifact) throws IOException {
        try (JarFile jar = jar(artifact)) {
            List<String> entries = jar.stream().map(ZipEntry::getName).toList();
            NativeMetadata metadata = NativeMetadata.read(
                    entries.contains(NativeMetadata.entry(artifact))
                            ? read(jar, NativeMetadata.entry(artifact))
                            : "{}");
            assertThat(metadata.violations(entries)).isEmpty();
            assertThat(entries.stream().filter(entry -> entry.endsWith(".lua") || entry.equals(SERVICE)))
                    .allMatch(metadata::covers);
            if (entries.contains(SERVICE)) {
                assertThat(metadata.types())
                        .containsAll(read(jar, SERVICE).lines().toList());
            }
        }
    }

    @Test
    void each_class_that_looks_something_up_by_name_is_known_here() throws IOException {
        assertThat(lookups()).isEqualTo(new TreeSet<>(LOOKUPS.keySet()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'reflection': [{'type': 'io.hasp.Gone'}]}",
                "{'reflection': [{'type': 'io.hasp.redis.RedisBackendProvider', 'methods': [{'name': 'gone', 'parameterTypes': []}]}]}",
                "{'reflection': [{'type': {'proxy': ['io.hasp.Gone']}}]}",
                "{'resources': [{'glob': 'io/hasp/gone/*.lua'}]}"
            })
    void a_name_that_leads_nowhere_is_found(String metadata) throws IOException {
        assertThat(NativeMetadata.read(metadata.replace('\'', '"')).violations(List.of("io/hasp/redis/a.lua")))
                .hasSize(1);
    }

    /** Of the classes of one package where several do it. */
    private static Set<String> lookups() throws IOException {
        List<JarFile> jars = new ArrayList<>();
        for (String artifact : artifacts()) {
            jars.add(jar(artifact));
        }
        JavaClasses classes = new ClassFileImporter().importJars(jars);
        for (JarFile jar : jars) {
            jar.close();
        }
        return classes.stream()
                .filter(type -> type.getMethodCallsFromSelf().stream()
                        .anyMatch(call ->
                                BY_NAME.matcher(call.getTarget().getFullName()).matches()))
                .map(type ->
                        type.getPackageName().equals("io.hasp.redis.redisson") ? type.getPackageName() : type.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JarFile jar(String artifact) throws IOException {
        return new JarFile(LocalRepository.built(artifact, "").toFile());
    }

    private static String read(JarFile jar, String entry) throws IOException {
        return new String(jar.getInputStream(jar.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
    }
}
