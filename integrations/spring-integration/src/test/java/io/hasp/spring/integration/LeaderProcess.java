package io.hasp.spring.integration;

import io.hasp.BackendException;
import io.hasp.LockClient;
import io.hasp.conformance.processes.CommandServer;
import io.hasp.conformance.processes.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * The main program of a process that wants to lead, and writes down when it believed that it did. Commands: {@code yield}.
 * Arguments: URI, file, {@code spring} for Spring's own initiator, and its heartbeat.
 */
final class LeaderProcess {
    static final String SPRINGS_OWN = "spring";
    private static final String ROLE = "leader";

    private LeaderProcess() {}

    static List<String> command(List<String> options, String uri, Path file, String initiator, Duration heartbeat) {
        return io.hasp.conformance.processes.JavaProgram.command(
                options, LeaderProcess.class, uri, file.toString(), initiator, heartbeat.toString());
    }

    public static void main(String[] args) {
        CommandServer server = CommandServer.onStandardStreams();
        try {
            LockClient client = connect(args[0]);
            LeadershipFile file = LeadershipFile.create(Path.of(args[1]));
            DefaultCandidate candidate = new DefaultCandidate("", ROLE) {
                @Override
                public void onGranted(Context context) {
                    file.granted();
                }

                @Override
                public void onRevoked(Context context) {
                    file.revoked();
                }
            };
            HaspLockRegistry registry = new HaspLockRegistry(client);
            LockRegistryLeaderInitiator initiator = args[2].equals(SPRINGS_OWN)
                    ? new LockRegistryLeaderInitiator(registry, candidate)
                    : registry.leaderInitiator(candidate);
            initiator.setHeartBeatMillis(Duration.parse(args[3]).toMillis());
            Thread witness = new Thread(() -> witness(file, initiator), "witness");
            witness.setDaemon(true);
            witness.start();
            initiator.start();
            server.serve(Executors.newCachedThreadPool(), command -> perform(command, initiator), initiator::stop);
        } catch (Throwable e) {
            System.err.println("could not lead: " + e);
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    /** On a busy machine a connection may take longer than commands may. */
    private static LockClient connect(String uri) {
        while (true) {
            try {
                return LockClient.connect(uri);
            } catch (BackendException e) {
                System.err.println("connects again: " + e.getMessage());
            }
        }
    }

    private static Message perform(Message command, LockRegistryLeaderInitiator initiator) {
        initiator.getContext().yield();
        return command.answer("done");
    }

    /** Looks about every millisecond whether it leads. A look beside the end of a leadership does not count. */
    private static void witness(LeadershipFile file, LockRegistryLeaderInitiator initiator) {
        int term = -1;
        try {
            while (true) {
                int revocations = file.revocations();
                long before = System.nanoTime();
                boolean leads = initiator.getContext().isLeader();
                long after = System.nanoTime();
                if (leads && revocations == file.revocations()) {
                    if (term == revocations) {
                        file.leads(before);
                    } else {
                        file.begins(after);
                        term = revocations;
                    }
                }
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
