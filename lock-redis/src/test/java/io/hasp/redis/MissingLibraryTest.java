package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.redis.RedisConfig.Library;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class paths that lack client libraries, as those of most applications do. */
@InTier(Tier.STANDARD)
class MissingLibraryTest {

    @Test
    void one_that_is_missing_is_asked_for_by_its_artifact_and_jedis_works_without_it() throws Exception {
        try (RedisServer server = RedisServer.start();
                URLClassLoader classes = without("lettuce", "redisson")) {
            var use = classes.loadClass(Use.class.getName()).getMethod("use", String.class);
            assertThat(use.invoke(null, server.uri())).isEqualTo("Granted");
            assertThatThrownBy(() -> use.invoke(null, server.uri() + "?connection=lettuce"))
                    .rootCause()
                    .isInstanceOf(ClassNotFoundException.class);
            assertThatThrownBy(() -> use.invoke(null, server.uri() + "?connection=lettuce"))
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("io.lettuce:lettuce-core");
        }
    }

    @Test
    void the_first_in_the_documented_order_is_used_and_the_others_work_without_jedis() throws Exception {
        assertThat(RedisConfig.of("localhost", 6379).library()).isEqualTo(Library.JEDIS);
        try (RedisServer server = RedisServer.start();
                URLClassLoader classes = without("jedis", "redisson")) {
            assertThat(classes.loadClass(Use.class.getName())
                            .getMethod("library")
                            .invoke(null))
                    .isEqualTo("LETTUCE");
            var use = classes.loadClass(Use.class.getName()).getMethod("use", String.class);
            assertThat(use.invoke(null, server.uri())).isEqualTo("Granted");
        }
    }

    @Test
    void where_there_is_none_all_artifacts_are_named() throws Exception {
        try (URLClassLoader classes = without("jedis", "lettuce")) {
            var connect = classes.loadClass(Use.class.getName()).getMethod("connect", String.class);
            assertThatThrownBy(() -> connect.invoke(null, "redis://127.0.0.1:1"))
                    .cause()
                    .hasMessageContaining("redis.clients:jedis, io.lettuce:lettuce-core; or RedisBackend.onRedisson(")
                    .matches(e -> e.getClass().getSimpleName().equals("InvalidArgumentException"));
        }
    }

    @Test
    void jedis_is_asked_for_by_its_artifact_by_one_server_and_by_several() throws Exception {
        try (URLClassLoader classes = without("jedis")) {
            for (String uri :
                    List.of("redis://127.0.0.1:1?connection=jedis", "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3")) {
                var connect = classes.loadClass(Use.class.getName()).getMethod("connect", String.class);
                assertThatThrownBy(() -> connect.invoke(null, uri))
                        .cause()
                        .hasMessageContaining("redis.clients:jedis")
                        .matches(e -> e.getClass().getSimpleName().equals("InvalidArgumentException"));
            }
        }
    }

    @Test
    void the_doctor_says_that_it_did_not_ask_sentinels_without_jedis() throws Exception {
        try (RedisServer server = RedisServer.start();
                RedisServer sentinel =
                        RedisServer.sentinel("sentinel monitor master 127.0.0.1 " + server.port() + " 1");
                URLClassLoader classes = without("jedis")) {
            var diagnose = classes.loadClass(Use.class.getName()).getMethod("diagnose", String.class);
            String uri = "redis-sentinel://127.0.0.1:" + sentinel.port() + "?sentinelMasterId=master";
            assertThat(String.valueOf(diagnose.invoke(null, uri)))
                    .contains("level=UNKNOWN, check=sentinels")
                    .contains("level=OK, check=address");
        }
    }

    /** Overloads would not do: the compiler looks at the types of all of them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RedisBackend.on(RedisConfig.of(null, 1))|jedis lettuce redisson",
                "RedisBackend.onLettuce(null, null); RedisBackend.onLettuce(null, null, null)|jedis redisson",
                "RedisBackend.onLettuceCluster(null, null); RedisBackend.onLettuceCluster(null, null, null)|jedis redisson",
                "RedisBackend.onRedisson(null); RedisBackend.onRedisson(null, null)|jedis lettuce"
            })
    void a_program_is_compiled_without_the_libraries_that_it_does_not_use(
            String calls, String libraries, @TempDir File output) throws IOException {
        String source = "class Program { void run() { " + calls + "; } }";
        StringWriter said = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                URLClassLoader classes = without(libraries.split(" "))) {
            files.setLocation(
                    StandardLocation.CLASS_PATH,
                    Arrays.stream(classes.getURLs())
                            .map(url -> new File(url.getPath()))
                            .toList());
            files.setLocation(StandardLocation.CLASS_OUTPUT, List.of(output));
            JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Program.java"), Kind.SOURCE) {
                @Override
                public String getCharContent(boolean ignoreErrors) {
                    return "import io.hasp.redis.*; " + source;
                }
            };
            List<String> options = List.of("-proc:none", "-implicit:none", "-Xdiags:verbose", "-XDcompilePolicy=attr");
            boolean compiled = compiler.getTask(said, files, null, options, null, List.of(file))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }

    /** Netty's native libraries stay out: their second copy, once unloaded, takes the methods of the first one with it. */
    private static URLClassLoader without(String... libraries) throws IOException {
        URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Stream.concat(
                                Stream.of("netty-transport-native", "netty-transport-classes"), Stream.of(libraries))
                        .noneMatch(Path.of(entry).getFileName().toString()::startsWith))
                .map(MissingLibraryTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Runs inside the other class loader. */
    public static final class Use {
        private Use() {}

        public static void connect(String uri) {
            LockClient.connect(uri).close();
        }

        public static String diagnose(String uri) {
            return LockClient.diagnose(uri).toString();
        }

        public static String library() {
            return RedisConfig.of("localhost", 6379).library().name();
        }

        public static String use(String uri) {
            try (TestClient client = new TestClient(RedisBackend.on(RedisConfig.of(URI.create(uri))))) {
                return client.acquire("a").getClass().getSimpleName();
            }
        }
    }
}
