package io.hasp.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.ClientOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LockClient;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Containers and plug-ins: the library, its backends and the calling thread may belong to different class loaders. */
class ClassLoaderTest {
    private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

    private static URLClassLoader loader(ClassLoader parent, String... artifacts) {
        return new URLClassLoader(Jars.of(artifacts).urls(), parent);
    }

    private static <T> T inContext(@Nullable ClassLoader loader, Callable<T> work) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return work.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Takes a lock with the library of a class loader. */
    private static Object takeLock(ClassLoader loader) throws Exception {
        Class<?> program = loader.loadClass(TakeLocks.class.getName());
        try {
            program.getMethod("main", String[].class).invoke(null, (Object) new String[] {"memory://loaders"});
            return program;
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @Test
    void a_library_in_a_loader_of_its_own_is_found_whatever_the_threads_loader_is() throws Exception {
        try (URLClassLoader plugIn = loader(JDK, "lock-api", "lock-memory", "lock-packaging-tests")) {
            assertThat(plugIn.loadClass(LockClient.class.getName())).isNotEqualTo(LockClient.class);
            // This test's own loader has other copies of the same backends, which the plug-in's library can't use.
            for (ClassLoader context : new ClassLoader[] {null, JDK, getClass().getClassLoader(), plugIn}) {
                assertThatCode(() -> inContext(context, () -> takeLock(plugIn)))
                        .as("context class loader " + context)
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void backends_below_the_library_are_found_by_the_threads_loader() throws Exception {
        try (URLClassLoader container = loader(JDK, "lock-api");
                URLClassLoader application = loader(container, "lock-memory", "lock-packaging-tests")) {
            assertThatCode(() -> inContext(application, () -> takeLock(application)))
                    .doesNotThrowAnyException();
            assertThatThrownBy(() -> inContext(JDK, () -> takeLock(application)))
                    .hasMessageContaining("no backend for the scheme 'memory' (none found)");
        }
    }

    @Test
    void a_loader_that_is_given_is_the_only_one_asked() throws Exception {
        URI uri = URI.create("memory://given");
        ClassLoader own = getClass().getClassLoader();
        inContext(JDK, () -> {
            LockClient.connect(uri, ClientOptions.defaults(), own).close();
            return own;
        });
        assertThatThrownBy(() -> LockClient.connect(uri, ClientOptions.defaults(), JDK))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("(none found)");
        try (URLClassLoader foreign = loader(JDK, "lock-api", "lock-memory")) {
            assertThatThrownBy(() -> LockClient.connect(uri, ClientOptions.defaults(), foreign))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("MemoryProvider not a subtype");
        }
    }
}
