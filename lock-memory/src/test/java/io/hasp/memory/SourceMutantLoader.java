package io.hasp.memory;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Loads Hasp and the suite with a mutant: all of {@code io.hasp} anew, and the rest from the parent. */
final class SourceMutantLoader extends URLClassLoader {

    SourceMutantLoader(SourceMutant mutant, Path folder) throws IOException {
        super(new URL[] {compiled(mutant, folder)}, SourceMutantLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.hasp.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = bytes(name.replace('.', '/') + ".class");
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            return loaded;
        }
    }

    private byte[] bytes(String file) throws ClassNotFoundException {
        URL changed = findResource(file);
        try (InputStream in =
                changed != null ? changed.openStream() : getParent().getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(file, e);
        }
    }

    private static URL compiled(SourceMutant mutant, Path folder) throws IOException {
        Path source = folder.resolve(mutant.className().replace('.', '/') + ".java");
        Files.createDirectories(Objects.requireNonNull(source.getParent()));
        Files.writeString(source, mutant.source());
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
                System.getProperty("java.class.path"),
                "-d",
                folder.toString());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean done = compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            if (!done) {
                throw new AssertionError("a mutant does not compile:\n" + errors);
            }
        }
        return url(folder);
    }

    private static URL url(Path folder) throws MalformedURLException {
        return folder.toUri().toURL();
    }
}
