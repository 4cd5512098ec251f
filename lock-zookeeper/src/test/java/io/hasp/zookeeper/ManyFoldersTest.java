package io.hasp.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.processes.JavaProgram;
import io.hasp.conformance.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** An operator's client with a small heap lists very many locks. */
@InTier(Tier.STANDARD)
class ManyFoldersTest {
    private static final int LOCKS = 100_000;
    private static final int IN_BATCH = 500;
    private static final String HEAP = "-Xmx64m";

    @Test
    void a_hundred_thousand_locks_are_listed_in_a_heap_of_64_megabytes() throws Exception {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ServerAdmin admin = ServerAdmin.connect(server)) {
            create(admin);
            String uri = "zookeeper://" + server.connectString();

            assertThat(listed(uri)).isEqualTo(LOCKS);
            assertThat(listed(uri, "customer-of-a-shop/order-99")).isEqualTo(1_111);
        }
    }

    /** Persistent nodes: the end of a session with so many ephemeral nodes would break a server. */
    private static void create(ServerAdmin admin) throws Exception {
        for (String path : List.of("/hasp", ZooKeeperLocks.DEFAULT_ROOT)) {
            admin.client.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        for (int i = 0; i < LOCKS; i += IN_BATCH) {
            List<Op> steps = new ArrayList<>();
            for (int number = i; number < i + IN_BATCH; number++) {
                String folder = ServerAdmin.folder("customer-of-a-shop/order-" + number);
                steps.add(Op.create(folder, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                steps.add(Op.create(
                        folder + "/x-client-1-",
                        "1|label".getBytes(StandardCharsets.UTF_8),
                        ZooDefs.Ids.OPEN_ACL_UNSAFE,
                        CreateMode.PERSISTENT_SEQUENTIAL));
            }
            admin.client.multi(steps);
        }
    }

    private static int listed(String... arguments) throws Exception {
        Process process = new ProcessBuilder(JavaProgram.command(List.of(HEAP), ManyFoldersProgram.class, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(answer).isZero();
            System.out.println("[listing] locks and milliseconds with " + HEAP + ": " + answer);
            return Integer.parseInt(answer.substring(0, answer.indexOf(' ')));
        } finally {
            process.destroyForcibly();
        }
    }
}
