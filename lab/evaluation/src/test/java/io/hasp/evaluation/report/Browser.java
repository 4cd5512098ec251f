package io.hasp.evaluation.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A Chromium without a window, driven over its own debugging protocol: that needs nothing but the browser and the JDK. See
 * {@code docs/decisions/0012} for why no driver library.
 */
final class Browser implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ObjectMapper json = new ObjectMapper();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final Process process;
    private final WebSocket socket;
    private final String session;

    /** The first that is on the path. */
    static Optional<Path> installed() {
        return NAMES.stream()
                .flatMap(name -> Stream.of(
                                System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Starts one.
     *
     * @param program as {@link #installed} found it
     * @param profile an empty folder for it
     */
    Browser(Path program, Path profile) throws IOException {
        process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.exists(port) && Files.readAllLines(port).size() > 1);
        List<String> address = Files.readAllLines(port);
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + address.get(0) + address.get(1)), new Ear())
                .join();
        String target = ask("", "Target.createTarget", Map.of("url", "about:blank"))
                .path("targetId")
                .asText();
        session = ask("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        Stream.of("Page", "Runtime", "Network", "Log").forEach(domain -> ask(domain + ".enable", Map.of()));
    }

    /** Puts messages together and hands them to the thread that waits. */
    private final class Ear implements WebSocket.Listener {
        private final StringBuilder parts = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            parts.append(data);
            if (last) {
                hear(parts.toString());
                parts.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        private void hear(String text) {
            try {
                JsonNode message = json.readTree(text);
                CompletableFuture<JsonNode> waiting =
                        open.remove(message.path("id").asInt(-1));
                if (waiting != null) {
                    waiting.complete(message);
                } else {
                    events.add(message);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    JsonNode ask(String method, Map<String, ?> parameters) {
        return ask(session, method, parameters);
    }

    private JsonNode ask(String to, String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        ObjectNode request = json.createObjectNode().put("id", id).put("method", method);
        request.set("params", json.valueToTree(parameters));
        if (!to.isEmpty()) {
            request.put("sessionId", to);
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        open.put(id, answer);
        socket.sendText(request.toString(), true).join();
        JsonNode found =
                answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        if (found.has("error")) {
            throw new IllegalStateException(method + ": " + found.path("error"));
        }
        return found.path("result");
    }

    /** Shows a page at a width, in light or dark, and forgets what was seen of the one before. */
    void show(Path page, int width, String scheme) {
        events.clear();
        ask(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        ask(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        ask("Page.navigate", Map.of("url", page.toUri().toString()));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !seen("Page.loadEventFired").isEmpty());
    }

    /** Evaluates a script's expression. */
    JsonNode evaluate(String expression) {
        JsonNode answer =
                ask("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(answer.path("exceptionDetails").toString());
        }
        return answer.path("result").path("value");
    }

    /** Returns errors that scripts threw or the browser reported. */
    List<String> errors() {
        return Stream.concat(
                        seen("Runtime.exceptionThrown").stream(),
                        seen("Log.entryAdded").stream()
                                .filter(each -> each.path("entry")
                                        .path("level")
                                        .asText()
                                        .equals("error")))
                .map(JsonNode::toString)
                .toList();
    }

    /** Returns the requests of the page, except for itself. */
    List<String> requests() {
        return seen("Network.requestWillBeSent").stream()
                .map(each -> each.path("request").path("url").asText())
                .filter(url -> !url.startsWith("file:") && !url.startsWith("data:"))
                .toList();
    }

    private List<JsonNode> seen(String event) {
        return events.stream()
                .filter(each -> each.path("method").asText().equals(event))
                .map(each -> each.path("params"))
                .toList();
    }

    @Override
    public void close() {
        socket.abort();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
