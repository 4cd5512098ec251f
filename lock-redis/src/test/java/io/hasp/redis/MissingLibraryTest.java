package io.hasp.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A class path as most applications will have it: without Redisson. */
class MissingLibraryTest {

    @Test
    void redisson_is_asked_for_by_its_artifact_and_jedis_works_without_it() throws Exception {
        try (RedisServer server = RedisServer.start();
                URLClassLoader classes = without("redisson")) {
            var use = classes.loadClass(Use.class.getName()).getMethod("use", String.class);
            assertThat(use.invoke(null, server.uri())).isEqualTo("Granted");
            assertThatThrownBy(() -> use.invoke(null, server.uri() + "?connection=redisson"))
                    .rootCause()
                    .isInstanceOf(ClassNotFoundException.class);
            assertThatThrownBy(() -> use.invoke(null, server.uri() + "?connection=redisson"))
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("org.redisson:redisson");
        }
    }

    @Test
    void jedis_is_asked_for_by_its_artifact_by_one_server_and_by_several() throws Exception {
        try (URLClassLoader classes = without("jedis")) {
            for (String uri : List.of("redis://127.0.0.1:1", "redlock://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3")) {
                var connect = classes.loadClass(Use.class.getName()).getMethod("connect", String.class);
                assertThatThrownBy(() -> connect.invoke(null, uri))
                        .cause()
                        .hasMessageContaining("redis.clients:jedis")
                        .matches(e -> e.getClass().getSimpleName().equals("InvalidArgumentException"));
            }
        }
    }

    private static URLClassLoader without(String library) throws IOException {
        URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(library))
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

        public static String use(String uri) {
            try (TestClient client = new TestClient(RedisBackend.on(RedisConfig.of(URI.create(uri))))) {
                return client.acquire("a").getClass().getSimpleName();
            }
        }
    }
}
