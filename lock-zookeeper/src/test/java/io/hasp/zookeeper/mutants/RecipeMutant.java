package io.hasp.zookeeper.mutants;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * One fault of the recipe, made by a change in its source, and the test that must fail of it. A class loader of its own loads all of
 * {@code io.hasp} with the changed class.
 *
 * @param name says what is wrong, for the report
 * @param type the simple name of the class whose source is changed
 * @param original what is replaced; occurs exactly once in the source
 * @param replacement what stands there instead
 * @param test the simple name of the test class
 * @param method its method
 */
record RecipeMutant(String name, String type, String original, String replacement, String test, String method) {
    private static final String PACKAGE = "io.hasp.zookeeper.";
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "hasp", "zookeeper");

    /** The changed source. */
    String source() throws IOException {
        String source = Files.readString(SOURCES.resolve(type + ".java"), UTF_8);
        int at = source.indexOf(original);
        if (at < 0 || source.indexOf(original, at + 1) >= 0) {
            throw new AssertionError("mutant '" + name + "' does not apply: its text occurs "
                    + (at < 0 ? "nowhere" : "more than once") + " in " + type + ": " + original);
        }
        return source.replace(original, replacement);
    }

    /** Why the test fails; null if it passes. */
    @Nullable
    Throwable failure(Path folder) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader former = thread.getContextClassLoader();
        try (URLClassLoader changed = new ChangedClasses(compiled(folder), former)) {
            thread.setContextClassLoader(changed);
            return failure(changed.loadClass(PACKAGE + test));
        } finally {
            thread.setContextClassLoader(former);
        }
    }

    private @Nullable Throwable failure(Class<?> changedTest) throws NoSuchMethodException {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(changedTest, changedTest.getDeclaredMethod(method)))
                .configurationParameter("junit.platform.execution.listeners.deactivate", "*")
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        if (summary.getSummary().getTestsStartedCount() != 1) {
            throw new AssertionError("mutant '" + name + "': " + test + "." + method + " was not started");
        }
        return summary.getSummary().getFailures().stream()
                .findFirst()
                .map(failed -> failed.getException())
                .orElse(null);
    }

    private Path compiled(Path folder) throws IOException {
        Path changed = folder.resolve(type + ".java");
        Files.writeString(changed, source());
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int code = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.out,
                        "-proc:none",
                        "-nowarn",
                        "-Xlint:none",
                        "-implicit:none",
                        "--release",
                        "17",
                        "-d",
                        classes.toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        changed.toString());
        if (code != 0) {
            throw new AssertionError("mutant '" + name + "' does not compile");
        }
        return classes;
    }

    @Override
    public String toString() {
        return name;
    }

    /** All of {@code io.hasp} anew, the changed classes first; the rest from the parent. */
    private static final class ChangedClasses extends URLClassLoader {
        ChangedClasses(Path changed, ClassLoader parent) throws MalformedURLException {
            super(urls(changed), parent);
        }

        private static URL[] urls(Path changed) throws MalformedURLException {
            List<URL> urls = new ArrayList<>(List.of(changed.toUri().toURL()));
            for (String entry : System.getProperty("java.class.path").split(System.getProperty("path.separator"))) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.hasp.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
