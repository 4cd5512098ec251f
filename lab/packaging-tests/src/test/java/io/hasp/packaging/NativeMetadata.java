package io.hasp.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The types and resources that a jar names for GraalVM's native images. */
record NativeMetadata(JsonNode root) {
    static NativeMetadata read(String json) throws IOException {
        return new NativeMetadata(new ObjectMapper().readTree(json));
    }

    static String entry(String artifact) {
        return "META-INF/native-image/io.hasp/" + artifact + "/reachability-metadata.json";
    }

    /** The names of the types, and of the interfaces of proxies. */
    List<String> types() {
        return stream(root.path("reflection"))
                .map(entry -> entry.path("type"))
                .flatMap(type -> type.isTextual() ? Stream.of(type) : stream(type.path("proxy")))
                .map(JsonNode::asText)
                .toList();
    }

    /** One line for each name that leads nowhere, in the libraries of this test or in the jar. */
    List<String> violations(List<String> jarEntries) {
        List<String> found = new ArrayList<>();
        types().stream().filter(type -> !exists(type)).forEach(type -> found.add("no type " + type));
        for (JsonNode entry : root.path("reflection")) {
            for (JsonNode method : entry.path("methods")) {
                if (exists(entry.path("type").asText())
                        && !has(entry.path("type").asText(), method)) {
                    found.add(
                            "no method " + method + " in " + entry.path("type").asText());
                }
            }
        }
        for (String glob : globs()) {
            if (jarEntries.stream().noneMatch(name -> matches(glob, name))) {
                found.add("no resource " + glob);
            }
        }
        return found;
    }

    boolean covers(String resource) {
        return globs().stream().anyMatch(glob -> matches(glob, resource));
    }

    private List<String> globs() {
        return stream(root.path("resources"))
                .map(entry -> entry.path("glob").asText())
                .toList();
    }

    private static boolean matches(String glob, String name) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        return matcher.matches(Path.of(name));
    }

    private static boolean exists(String type) {
        try {
            load(type);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Taken for granted in the JDK, where a method may be of a later version than this one. */
    private static boolean has(String type, JsonNode method) {
        if (type.startsWith("java.")) {
            return true;
        }
        try {
            Class<?> declaring = load(type);
            String name = method.path("name").asText();
            Stream<? extends Executable> candidates = name.equals("<init>")
                    ? Arrays.stream(declaring.getDeclaredConstructors())
                    : Arrays.stream(declaring.getDeclaredMethods())
                            .filter(each -> each.getName().equals(name));
            List<String> parameters =
                    stream(method.path("parameterTypes")).map(JsonNode::asText).toList();
            return candidates.anyMatch(each -> Arrays.stream(each.getParameterTypes())
                    .map(Class::getName)
                    .toList()
                    .equals(parameters));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Class<?> load(String type) throws ClassNotFoundException {
        return Class.forName(type, false, NativeMetadata.class.getClassLoader());
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
