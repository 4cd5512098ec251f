package io.hasp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LockBackend;
import io.hasp.spi.LockBackendProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackendLookupTest {

    /** Serves {@code one://}, and is down. */
    public static final class One implements LockBackendProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("one");
        }

        @Override
        public LockBackend open(URI uri, BackendContext context) {
            if (uri.getQuery() != null) {
                throw new IllegalArgumentException("URI parameter '" + uri.getQuery() + "' is unknown");
            }
            throw new BackendFailure(
                    BackendFailure.Kind.UNAVAILABLE, BackendFailure.Outcome.NOT_APPLIED, "nobody answers", null);
        }
    }

    /** Serves {@code one://} as well. */
    public static final class Other implements LockBackendProvider {
        @Override
        public Set<String> schemes() {
            return Set.of("one", "two");
        }

        @Override
        public LockBackend open(URI uri, BackendContext context) {
            throw new UnsupportedOperationException();
        }
    }

    /** Can't be made. */
    public static final class Broken implements LockBackendProvider {
        public Broken() {
            throw new IllegalStateException("out of order");
        }

        @Override
        public Set<String> schemes() {
            return Set.of("broken");
        }

        @Override
        public LockBackend open(URI uri, BackendContext context) {
            throw new UnsupportedOperationException();
        }
    }

    /** Can be made, and then says nothing about itself. */
    public static final class Silent implements LockBackendProvider {
        @Override
        public Set<String> schemes() {
            throw new IllegalStateException("at a loss for words");
        }

        @Override
        public LockBackend open(URI uri, BackendContext context) {
            throw new UnsupportedOperationException();
        }
    }

    /** A class path on which exactly these providers are registered. */
    private static ClassLoader providing(Class<?>... providers) {
        StringBuilder names = new StringBuilder();
        for (Class<?> provider : providers) {
            names.append(provider.getName()).append('\n');
        }
        byte[] file = names.toString().getBytes(StandardCharsets.UTF_8);
        return new ClassLoader(BackendLookupTest.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.equals("META-INF/services/" + LockBackendProvider.class.getName())
                        ? Collections.enumeration(List.of(url(file)))
                        : super.getResources(name);
            }
        };
    }

    private static URL url(byte[] content) throws IOException {
        return new URL(null, "memory:services", new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) {
                return new URLConnection(url) {
                    @Override
                    public void connect() {}

                    @Override
                    public InputStream getInputStream() {
                        return new ByteArrayInputStream(content);
                    }
                };
            }
        });
    }

    private static void connect(String uri, Class<?>... providers) {
        inContext(providing(providers), () -> LockClient.connect(uri).close());
    }

    private static void inContext(@Nullable ClassLoader loader, Runnable work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            work.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void ap7_a_missing_backend_names_the_artifact_to_add() {
        assertThatThrownBy(() -> connect("redis://h"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessage(
                        "no backend for the scheme 'redis' (none found); add the artifact io.hasp:lock-redis, or, if it"
                                + " is inside a shaded jar, merge META-INF/services there");
    }

    @Test
    void ap7_an_unknown_scheme_lists_what_is_there() {
        assertThatThrownBy(() -> connect("nosuch://h", One.class))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageStartingWith("no backend for the scheme 'nosuch' (found [one])")
                .hasMessageContaining("redis://127.0.0.1:6379");
    }

    @Test
    void ap7_two_backends_for_one_scheme_are_an_error_that_names_both() {
        assertThatThrownBy(() -> connect("one://h", One.class, Other.class))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(One.class.getName())
                .hasMessageContaining(Other.class.getName());
    }

    @Test
    void ap7_a_broken_backend_does_not_hide_the_others_and_is_named_when_needed() {
        assertThatThrownBy(() -> connect("one://h", Broken.class, One.class))
                .isInstanceOf(BackendException.class)
                .hasMessage("could not connect to one://h: nobody answers");
        assertThatThrownBy(() -> connect("broken://h", Broken.class))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("could not be loaded")
                .hasMessageContaining("Broken");
        assertThatThrownBy(() -> connect("silent://h", Silent.class, One.class))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("(found [one])")
                .hasMessageContaining("Silent does not say what it serves")
                .hasMessageContaining("at a loss for words");
    }

    @Test
    void ap7_a_class_path_that_cannot_be_read_is_an_error_and_not_an_endless_loop() {
        ClassLoader unreadable = new ClassLoader(null) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                throw new IOException("the disk is gone");
            }
        };
        assertThatThrownBy(() -> inContext(unreadable, () -> LockClient.connect("one://h")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("could not be loaded");
    }

    @Test
    void ap7_one_class_loader_may_be_given_and_is_then_the_only_one() {
        URI uri = URI.create("one://h");
        assertThatThrownBy(() -> LockClient.connect(uri, ClientOptions.defaults(), providing(One.class)))
                .isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> inContext(
                        providing(One.class),
                        () -> LockClient.connect(uri, ClientOptions.defaults(), providing(Silent.class))))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("none found");
    }

    @Test
    void without_a_context_class_loader_the_librarys_own_is_asked() {
        assertThatThrownBy(() -> inContext(null, () -> LockClient.connect("one://h")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("none found");
    }

    @Test
    void without_a_uri_the_environment_names_the_service_and_nothing_else_does() {
        assertThat(ServiceUri.of(Map.of("HASP_URI", " redis://h "))).isEqualTo(URI.create("redis://h"));
        for (Map<String, String> environment : List.of(Map.<String, String>of(), Map.of("HASP_URI", " "))) {
            assertThatThrownBy(() -> inContext(providing(One.class), () -> ServiceUri.of(environment)))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("set the environment variable HASP_URI")
                    .hasMessageContaining("(found [one])");
        }
        assertThatThrownBy(() -> ServiceUri.of(Map.of("HASP_URI", "redis://user:sec^ret@h")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("HASP_URI is not a URI: Illegal character")
                .hasMessageNotContaining("sec")
                .hasNoCause();
    }

    @Test
    void ap7_wrong_uris_are_refused_with_the_reason() {
        assertThatThrownBy(() -> connect("no scheme"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("not a URI");
        assertThatThrownBy(() -> connect("127.0.0.1", One.class)).hasMessageContaining("has no scheme");
        assertThatThrownBy(() -> connect("one://h?x=1", One.class))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("'x=1' is unknown");
        assertThatThrownBy(() -> connect("one://h?renewedLease=1", One.class))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("renewedLease=1 is not a duration");
        assertThatThrownBy(() -> connect("one://h?renewedLease=1ms", One.class))
                .hasMessageContaining("renewedLease is PT0.001S: it must be from PT0.01S");
    }

    @Test
    void credentials_stay_out_of_messages_and_threads_do_not_outlive_a_failed_connection() {
        assertThatThrownBy(() -> connect("one://user:secret@h", One.class)).hasMessageNotContaining("secret");
        assertThatThrownBy(() -> connect("//user:secret@h", One.class)).hasMessageNotContaining("secret");
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .filteredOn(name ->
                        !name.startsWith("hasp-log")) // Serves all clients of the process, and ends when it is idle.
                .noneMatch(name -> name.startsWith("hasp-"));
    }

    @Test
    void the_engines_parameters_are_taken_out_of_the_uri() {
        EngineParameters parameters = EngineParameters.split(
                URI.create("redis://u:p@h:1/2?renewedLease=10s&x=%2F&ordering=fifo&keep=1s#f"),
                ClientOptions.defaults());
        assertThat(parameters.backendUri()).isEqualTo(URI.create("redis://u:p@h:1/2?x=%2F#f"));
        assertThat(parameters.options().renewedLease()).hasSeconds(10);
        assertThat(parameters.options().unavailableAfter()).hasSeconds(10);
        URI patient = URI.create("x://h?unavailableAfter=1s&renewedLease=10s");
        assertThat(EngineParameters.split(patient, ClientOptions.defaults())
                        .options()
                        .unavailableAfter())
                .hasSeconds(1);
        assertThat(parameters.options().ordering()).isEqualTo(Ordering.FIFO);
        assertThatThrownBy(() -> EngineParameters.split(URI.create("x://h?ordering=lifo"), ClientOptions.defaults()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("ordering=lifo is neither fifo nor none");
    }
}
