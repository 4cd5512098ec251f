package io.hasp.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.RedisServer;
import io.hasp.conformance.servers.RespConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@InTier(Tier.STANDARD)
final class NetworkNamespaceTest {

    @BeforeAll
    static void possible() {
        Optional<String> missing = NetworkNamespace.missing();
        assumeTrue(missing.isEmpty(), missing::orElseThrow);
    }

    @Test
    void packets_vanish_in_silence_either_way_and_flow_again_when_healed() throws IOException {
        try (RedisServer redis = RedisServer.start();
                NetworkNamespace namespace = NetworkNamespace.open();
                FaultProxy door = FaultProxy.before(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), redis.port()),
                        namespace.outsideAddress());
                Inside inside = new Inside(namespace, door.port())) {
            assertThat(inside.incr()).isEqualTo("1");

            namespace.drop(Direction.REQUESTS);
            assertThat(inside.incr()).contains("timed out");
            assertThat(redis.command("GET", "n")).isEqualTo("1");
            namespace.heal();
            assertThat(inside.incr()).isEqualTo("2");

            namespace.drop(Direction.REPLIES);
            assertThat(inside.incr()).contains("timed out");
            namespace.heal();
            assertThat(inside.incr()).isNotEmpty().doesNotContain("timed out");

            namespace.partition();
            assertThat(inside.incr()).contains("timed out");
        }
    }

    @Test
    void an_open_connection_survives_a_short_partition() throws Exception {
        try (RedisServer redis = RedisServer.start();
                NetworkNamespace namespace = NetworkNamespace.open();
                FaultProxy door = FaultProxy.before(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), redis.port()),
                        namespace.outsideAddress());
                Inside inside = new Inside(namespace, door.port())) {
            inside.say("keep");
            assertThat(inside.hear()).isEqualTo("1");
            namespace.partition();
            inside.say("keep");
            assertThat(door.connections().get(0).open()).isTrue();
            assertThat(redis.command("GET", "n")).isEqualTo("1");
            namespace.heal();
            assertThat(inside.hear()).isEqualTo("2");
        }
    }

    @Test
    void packets_of_one_connection_vanish_and_others_flow() throws Exception {
        Optional<String> missing = NetworkNamespace.filterMissing();
        assumeTrue(missing.isEmpty(), missing::orElseThrow);
        try (RedisServer redis = RedisServer.start();
                NetworkNamespace namespace = NetworkNamespace.open();
                FaultProxy door = FaultProxy.before(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), redis.port()),
                        namespace.outsideAddress());
                Inside inside = new Inside(namespace, door.port());
                Inside other = new Inside(namespace, door.port())) {
            inside.say("keep");
            assertThat(inside.hear()).isEqualTo("1");
            List<Integer> ports = door.connections().stream()
                    .map(ProxiedConnection::clientPort)
                    .toList();
            namespace.dropConnections(door.port(), ports);
            inside.say("keep");
            assertThat(other.incr()).isEqualTo("2");
            assertThat(other.incr()).isEqualTo("3");
            namespace.restoreConnections(door.port(), ports);
            assertThat(inside.hear()).isEqualTo("4");
        }
    }

    @Test
    void nothing_is_left_behind() throws IOException {
        String cable;
        try (NetworkNamespace namespace = NetworkNamespace.open()) {
            cable = namespace.cable();
            assertThat(NetworkInterface.getByName(cable)).isNotNull();
            namespace.partition();
        }
        assertThat(NetworkInterface.getByName(cable)).isNull();
    }

    @Test
    void nothing_is_left_behind_by_a_jvm_that_is_killed() throws IOException {
        Process parent = new ProcessBuilder(JavaProgram.command(List.of(), Doomed.class))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String cable;
        try (BufferedReader said = parent.inputReader(StandardCharsets.UTF_8)) {
            cable = said.readLine();
            assertThat(NetworkInterface.getByName(cable)).isNotNull();
        } finally {
            parent.destroyForcibly();
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> NetworkInterface.getByName(cable) == null);
    }

    /** Opens a namespace and waits to be killed. */
    static final class Doomed {
        public static void main(String[] args) throws IOException {
            NetworkNamespace namespace = NetworkNamespace.open();
            namespace.partition();
            System.out.println(namespace.cable());
            System.in.read();
        }
    }

    /** A program inside: counts in Redis at each received word, over a new connection or one that it keeps. */
    static final class Inside implements AutoCloseable {
        private final Process process;
        private final BufferedReader said;

        Inside(NetworkNamespace namespace, int port) throws IOException {
            process = new ProcessBuilder(namespace.inside(JavaProgram.command(
                            List.of("-Xmx64m"),
                            Inside.class,
                            namespace.outsideAddress().getHostAddress(),
                            Integer.toString(port))))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            said = process.inputReader(StandardCharsets.UTF_8);
        }

        public static void main(String[] args) throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            RespConnection kept = null;
            for (String word = in.readLine(); word != null; word = in.readLine()) {
                if (word.equals("keep")) {
                    kept = kept == null ? open(args, Duration.ofSeconds(60)) : kept;
                    System.out.println(kept.command("INCR", "n"));
                    continue;
                }
                try (RespConnection connection = open(args, Duration.ofSeconds(2))) {
                    System.out.println(connection.command("INCR", "n"));
                } catch (IOException e) {
                    System.out.println(String.valueOf(e.getMessage()).toLowerCase(java.util.Locale.ROOT));
                }
            }
        }

        private static RespConnection open(String[] args, Duration timeout) throws IOException {
            return RespConnection.open(args[0], Integer.parseInt(args[1]), timeout);
        }

        String incr() throws IOException {
            say("incr");
            return hear();
        }

        void say(String word) throws IOException {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(word)
                    .append('\n')
                    .flush();
        }

        String hear() throws IOException {
            return said.readLine();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
