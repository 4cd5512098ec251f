package io.hasp.conformance.mutants;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Loads all of {@code io.hasp} anew, with a mutant, and all other classes from the parent. Compiles in memory. Thread-safe. */
public final class MutantLoader extends ClassLoader {
    private final Map<String, byte[]> changed;

    /**
     * Compiles the mutant.
     *
     * @param mutant of a class that the class path has
     * @throws AssertionError if the mutant does not apply or compile
     * @throws IOException if its source can't be read
     */
    public MutantLoader(SourceMutant mutant) throws IOException {
        super(MutantLoader.class.getClassLoader());
        this.changed = compiled(mutant);
    }

    /**
     * Creates a probe with the classes of this loader, and calls it.
     *
     * @param probe has a constructor without parameters
     * @return the result, of a class that the parent has loaded
     * @throws Exception what the probe throws
     */
    public Object call(Class<? extends Callable<?>> probe) throws Exception {
        Constructor<?> constructor = loadClass(probe.getName()).getDeclaredConstructor();
        constructor.setAccessible(true);
        return ((Callable<?>) constructor.newInstance()).call();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.hasp.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = bytes(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private byte[] bytes(String name) throws ClassNotFoundException {
        byte[] mine = changed.get(name);
        if (mine != null) {
            return mine;
        }
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static Map<String, byte[]> compiled(SourceMutant mutant) throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK, not a JRE");
        StringWriter errors = new StringWriter();
        List<String> options = List.of(
                "-proc:none",
                "-nowarn",
                "-Xlint:none",
                "-implicit:none",
                "--release",
                "17",
                "-classpath",
                System.getProperty("java.class.path"));
        try (CompiledClasses memory = new CompiledClasses(compiler.getStandardFileManager(null, null, null))) {
            if (!compiler.getTask(errors, memory, null, options, null, List.of(new Source(mutant)))
                    .call()) {
                throw new AssertionError("mutant '" + mutant.name() + "' does not compile:\n" + errors);
            }
            Map<String, byte[]> classes = new HashMap<>();
            memory.written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(SourceMutant mutant) throws IOException {
            super(URI.create("string:///" + mutant.className().replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = mutant.source();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class CompiledClasses extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> written = new HashMap<>();

        CompiledClasses(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            written.put(className, bytes);
            return new SimpleJavaFileObject(URI.create("bytes:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }
}
