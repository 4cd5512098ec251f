package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.RedisServer;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class paths without the libraries that Jedis brings and no lock needs, and without Jedis itself. */
@Timeout(60)
class ExcludedLibrariesTest {
    /** Arguments: classes that must not be there, and the URI. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            for (String absent : args[0].split(";")) {
                try {
                    Class.forName(absent);
                    throw new IllegalStateException(absent + " is there");
                } catch (ClassNotFoundException expected) {
                    System.out.println("without " + absent);
                }
            }
            try (LockClient client = LockClient.connect(args[1])) {
                client.lock("a").acquire().close();
                System.out.println("locked");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "json-|gson-, org.json.JSONObject;com.google.gson.Gson, jedis",
        "jedis-|json-|gson-|redis-authx-core-|commons-pool2-, redis.clients.jedis.Jedis;com.google.gson.Gson, lettuce"
    })
    void a_client_locks_without_them(String excluded, String absent, String connection) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            List<String> command = JavaProgram.command(
                    List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"),
                    Program.class,
                    absent,
                    server.uri() + "?connection=" + connection);
            int classPath = command.indexOf("-cp") + 1;
            Process program = new ProcessBuilder(command.stream()
                            .map(part -> command.indexOf(part) == classPath ? without(excluded, part) : part)
                            .toList())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(program.waitFor()).as(said).isZero();
            assertThat(said).contains("locked");
        }
    }

    private static String without(String excluded, String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> Arrays.stream(excluded.split("\\|"))
                        .noneMatch(name -> new File(entry).getName().startsWith(name)))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
