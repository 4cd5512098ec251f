package io.hasp.conformance.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.Timings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Work under a lock in a process that is terminated (SIGTERM), and that closes its client only in a shutdown hook. */
public final class TerminatedWork {
    private static final List<String> OPTIONS = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    private static final String LOCK = "terminated";
    private static final String WORKING = "working";
    private static final String ENDED = "ended";

    private TerminatedWork() {}

    /**
     * The process. Its argument is a URI. It works from the line that it writes until it reads one.
     *
     * @param args the URI
     * @throws InterruptedException never
     * @throws IOException if the starter is gone
     */
    public static void main(String[] args) throws InterruptedException, IOException {
        LockClient locks = LockClient.connect(args[0]);
        Runtime.getRuntime().addShutdownHook(new Thread(locks::close));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        locks.lock(LOCK).run(lease -> {
            System.out.println(WORKING);
            in.readLine();
            System.out.println(ENDED);
        });
    }

    /**
     * Terminates such a process, and ends its work some time later: another client that waits for the lock has it after that, and not
     * before.
     *
     * @param uri of a server
     * @param longerThanItsLease how long the work goes on after the signal
     * @throws Exception if the process can't be started
     */
    public static void keepsItsLockUntilItsEnd(String uri, Duration longerThanItsLease) throws Exception {
        try (ChildProcess child =
                        ChildProcess.start(folder -> JavaProgram.command(OPTIONS, TerminatedWork.class, uri));
                BufferedReader out = child.process().inputReader(StandardCharsets.UTF_8);
                Writer in = child.process().outputWriter(StandardCharsets.UTF_8);
                LockClient other = LockClient.connect(uri)) {
            assertThat(out.readLine()).as(child.output()).isEqualTo(WORKING);
            CompletableFuture<Lease> waiter = other.lock(LOCK).acquireAsync();
            // By its handle: Process.destroy() closes the streams as well, which would end the work.
            child.process().toHandle().destroy();
            assertThat(waiter).as("while the work goes on").failsWithin(longerThanItsLease);
            assertThat(child.alive()).as("the process whose work goes on").isTrue();
            in.write("\n");
            in.flush();
            assertThat(out.readLine()).as("the end of the work").isEqualTo(ENDED);
            assertThat(waiter)
                    .as("after the work")
                    .succeedsWithin(Timings.longWait())
                    .satisfies(Lease::close);
            assertThat(child.awaitExit(Timings.longWait()))
                    .as("the process ends by itself")
                    .isTrue();
        }
    }
}
