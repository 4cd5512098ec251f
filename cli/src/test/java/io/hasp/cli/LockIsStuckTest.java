package io.hasp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hasp.ClientOptions;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The session in docs/lock-is-stuck.md: its commands run here, and {@code -Dhasp.figures=write} writes what they print. */
class LockIsStuckTest {
    private static final Path PAGE = Path.of("../docs/lock-is-stuck.md");
    private static final String BEGIN = "```console\n";
    private static final String END = "```\n";

    @Test
    void a_stuck_lock_is_found_and_broken_as_the_page_shows() throws Exception {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        String session = page.substring(begin, page.indexOf(END, begin));
        String now = run(session.lines().filter(line -> line.startsWith("$ ")).toList());
        if (System.getProperty("hasp.figures", "").equals("write")) {
            Files.writeString(PAGE, page.substring(0, begin) + now + page.substring(begin + session.length()));
        } else {
            assertThat(withoutNumbers(session)).isEqualTo(withoutNumbers(now));
        }
    }

    private static String run(List<String> commands) throws IOException, InterruptedException {
        try (RedisServer redis = RedisServer.start();
                LockClient first = client(redis, "orders-7f9c");
                LockClient second = client(redis, "orders-b2x1")) {
            Lease stuck = first.lock("orders/42").acquire();
            CompletableFuture<Lease> next = second.lock("orders/42").acquireAsync();
            await().until(() ->
                    first.inspector().lock("orders/42").orElseThrow().waiting() == 1);
            String session = commands.stream()
                    .map(command -> command.replaceAll("--token \\d+", "--token " + stuck.fencingToken()))
                    .map(command -> {
                        String output = output(redis, command);
                        if (command.contains(" break ")) {
                            next.join();
                        }
                        return command + "\n" + output;
                    })
                    .collect(Collectors.joining());
            first.closeNow();
            second.closeNow();
            return session;
        }
    }

    private static LockClient client(RedisServer redis, String label) {
        return LockClient.connect(redis.uri(), ClientOptions.defaults().label(label));
    }

    private static String output(RedisServer redis, String command) {
        String[] words = (command.replace("$ hasp ", "") + " --uri " + redis.uri()).split(" ");
        return InProcess.run(words).out();
    }

    /** Times and tokens differ from run to run. */
    private static String withoutNumbers(String session) {
        return session.replaceAll("[0-9.]*[0-9]", "0").replaceAll(" +", " ");
    }
}
