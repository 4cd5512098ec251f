package io.hasp.redis;

import static io.hasp.redis.InspectorFixture.inspector;
import static io.hasp.redis.TestClient.answer;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import io.hasp.spi.Inspector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hundred thousand locks on one server: a list of them stops no other client, and fits into little memory. */
@Timeout(240)
@InTier(Tier.STANDARD)
class LongListTest {
    private static final int LOCKS = 100_000;
    private static final int QUEUES = 1_000;
    private static final int WAITERS = 50;
    private static final int OTHERS = 100_000;
    /** The limit is {@value Inspector#MOST_ON_A_PAGE} locks within two milliseconds. */
    private static final long MOST_MICROS = 2_000;

    /** Locks with counters, a part of them with a queue, among other keys. Each queue counts as alive: its waiters have no channel. */
    private static final String FILL = """
            local now = redis.call('TIME')
            local us = string.format('%.0f', now[1] * 1000000 + now[2])
            for i = tonumber(ARGV[1]), tonumber(ARGV[2]) - 1 do
              local lock = 'hasp:{n' .. i .. '}'
              redis.call('SET', lock, '1|h' .. i .. '|H|' .. us .. '|some-label-of-a-client', 'PX', 600000)
              redis.call('SET', lock .. ':t', '1|' .. us .. '|h' .. i, 'PX', 600000)
              redis.call('SET', 'other:' .. i, 'x')
              for w = 1, i < tonumber(ARGV[3]) and tonumber(ARGV[4]) or 0 do
                redis.call('ZADD', lock .. ':q', us, 'w' .. w)
                redis.call('HSET', lock .. ':w', 'w' .. w, '9999999999999||some-label-of-a-client')
              end
            end""";

    private static RedisServer server;

    /** A process that lists all locks; it prints their number. */
    static final class Lister {
        private Lister() {}

        public static void main(String[] args) {
            try (LockClient client = LockClient.connect(args[0])) {
                System.out.println(client.inspector().locks("").count());
            }
        }
    }

    @BeforeAll
    static void start() {
        server = RedisServer.start("slowlog-log-slower-than 50", "slowlog-max-len 100000");
        for (int i = 0; i < LOCKS; i += 1_000) {
            server.command("EVAL", FILL, "0", "" + i, "" + (i + 1_000), "" + QUEUES, "" + WAITERS);
        }
        assertThat((Long) server.command("DBSIZE")).isGreaterThan(2L * LOCKS + OTHERS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void the_server_is_never_busy_with_a_part_of_a_page_for_two_milliseconds() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<List<Long>> pings = CompletableFuture.supplyAsync(() -> pings(stop));
        server.command("SLOWLOG", "RESET");
        Set<String> names = new HashSet<>();
        int pages = 0;
        int longest = 0;
        long began = System.nanoTime();
        try (TestClient client = new TestClient(Through.JEDIS.source(server, Duration.ofSeconds(5)))) {
            String cursor = "";
            do {
                Inspector.Page page = answer(inspector(client).list("", cursor));
                page.locks().forEach(lock -> names.add(lock.name().value()));
                longest = Math.max(longest, page.locks().size());
                cursor = page.next();
                pages++;
            } while (!cursor.isEmpty());
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        stop.set(true);
        List<Long> calls = scripts();
        List<Long> trips = pings.get().stream().sorted().toList();
        System.out.println(pages + " pages, " + took.toMillis() + " ms; scripts of the list on the server, µs: "
                + shown(calls) + "; pings beside it, µs: " + shown(trips));

        assertThat(names).hasSize(LOCKS);
        assertThat(longest).isLessThanOrEqualTo(Inspector.MOST_ON_A_PAGE);
        // A busy machine stops the server itself now and then, and its clock counts that: so 99 of 100 are within the
        // limit.
        assertThat(calls.size()).isGreaterThan(pages);
        assertThat(calls.get(calls.size() * 99 / 100))
                .as("microseconds of one call")
                .isLessThan(MOST_MICROS);
        assertThat(calls.get(calls.size() / 2))
                .as("microseconds of a usual call")
                .isLessThan(MOST_MICROS / 2);
        assertThat(trips.get(trips.size() / 2))
                .as("a usual ping beside the list")
                .isLessThan(MOST_MICROS);
    }

    private static String shown(List<Long> sorted) {
        return sorted.size() + " of them, median " + sorted.get(sorted.size() / 2) + ", 99 % within "
                + sorted.get(sorted.size() * 99 / 100) + ", longest " + sorted.get(sorted.size() - 1);
    }

    private static List<Long> pings(AtomicBoolean stop) {
        List<Long> trips = new ArrayList<>();
        try (RespConnection connection = server.connect()) {
            while (!stop.get()) {
                long sent = System.nanoTime();
                connection.command("PING");
                trips.add((System.nanoTime() - sent) / 1_000);
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return trips;
    }

    /** The times that the server itself took for the scripts. */
    private static List<Long> scripts() {
        List<Long> micros = new ArrayList<>();
        for (Object entry : requireNonNull((List<?>) server.command("SLOWLOG", "GET", "-1"))) {
            List<?> fields = (List<?>) entry;
            if (String.valueOf(((List<?>) fields.get(3)).get(0)).equalsIgnoreCase("EVALSHA")) {
                micros.add((Long) fields.get(2));
            }
        }
        micros.sort(null);
        return micros;
    }

    @Test
    void a_list_fits_into_little_memory() throws Exception {
        Process lister = new ProcessBuilder(
                        JavaProgram.command(List.of("-Xmx32m"), Lister.class, "redis://127.0.0.1:" + server.port()))
                .redirectErrorStream(true)
                .start();
        try {
            String printed = new String(lister.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(printed.lines()).contains("" + LOCKS);
            assertThat(lister.waitFor()).isZero();
        } finally {
            lister.destroyForcibly();
        }
    }
}
