package io.hasp.examples.springboot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@link Shop} in a process of its own, as its clients see it. */
record Instance(String name, Process process, URI sales) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static Instance start(String name, String database, int redisPort) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Shop.class.getName(),
                "--spring.main.banner-mode=off",
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.datasource.url=" + database,
                "--spring.data.redis.port=" + redisPort,
                "--hasp.renewed-lease=2s",
                "--management.endpoints.web.exposure.include=prometheus,locks",
                "--shop.instance=" + name));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new Instance(
                    name, process, URI.create("http://127.0.0.1:" + port(name, process) + "/items/1/sales"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process prints that it serves, and returns its port. */
    private static String port(String name, Process process) throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(Shop.PORT)) {
                Thread rest = new Thread(() -> lines.lines().forEach(more -> {}), name);
                rest.setDaemon(true);
                rest.start();
                return line.substring(Shop.PORT.length());
            }
            said.append(line).append('\n');
        }
        throw new IllegalStateException("the shop did not start:\n" + said);
    }

    /** Returns the status of a purchase: 201 if an item was sold, 410 if none is left. */
    int buy(HttpClient client) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(sales)
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Returns a page of its actuator. */
    String page(HttpClient client, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(sales.resolve("/actuator/" + path))
                .timeout(PATIENCE)
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    void kill() {
        process.destroyForcibly();
    }
}
