package io.hasp.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/**
 * Compiles and runs statements of a document, with what their reader is meant to have: a store, an order, and work to do.
 *
 * @param folder for the source and the class
 */
record Statements(Path folder) {
    private static final String FRAME = """
            %s
            import java.time.*;
            import java.util.*;

            public class Snippet {
                interface Store {
                    void write(String order, long token);
                }

                static int transfer(long token) {
                    return token > 0 ? 1 : 0;
                }

                public static void run() throws Exception {
                    Store store = (what, token) -> {};
                    String order = "order 42";
            %s
                }
            }
            """;

    static Statements in(Path folder) {
        return new Statements(folder);
    }

    /** Runs them; the server that they name is this one. */
    void run(String code, String uri, String classPath) throws Exception {
        Path source = folder.resolve("Snippet.java");
        Map<Boolean, List<String>> lines = code.replace("redis://127.0.0.1:6379", uri)
                .lines()
                .collect(Collectors.partitioningBy(line -> line.startsWith("import ")));
        List<String> imports = lines.get(true).isEmpty() ? List.of("import io.hasp.*;") : lines.get(true);
        Files.writeString(source, FRAME.formatted(String.join("\n", imports), String.join("\n", lines.get(false))));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(null, said, said, "-cp", classPath, "-proc:none", "-d", folder.toString(), source.toString());
        assertThat(exit).as(said.toString(StandardCharsets.UTF_8)).isZero();
        URL[] urls = {folder.toUri().toURL()};
        try (URLClassLoader classes = new URLClassLoader(urls, Statements.class.getClassLoader())) {
            Method run = classes.loadClass("Snippet").getMethod("run");
            run.invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }
}
