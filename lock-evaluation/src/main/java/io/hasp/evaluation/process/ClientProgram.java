package io.hasp.evaluation.process;

import io.hasp.conformance.processes.CommandServer;
import io.hasp.conformance.processes.Message;
import io.hasp.evaluation.measure.FailoverClients;
import io.hasp.evaluation.measure.SliceLog;
import io.hasp.evaluation.measure.StoppedServerCallers;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.subject.Subject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/**
 * The program of a client process. It has one connected client of each lock, more if a workload needs more. It does one
 * command after the other, and ends when it is told to, or when its input ends.
 */
final class ClientProgram {
    /** What its parent can send. */
    enum Command {
        /** Connect the locks: the first command. */
        CONNECT,
        /** Open the clients that a workload needs, and use each lock once. */
        PREPARE,
        /** Close all clients but the first. */
        DISMISS,
        /** Work in a closed loop for a slice. */
        WORK,
        /** Work with two clients while the server that decides is killed. */
        FAILOVER,
        /** Ask servers that are stopped. */
        CALL_STOPPED,
        /** Take locks and keep them. */
        HOLD,
        /** Wait for some of them with another client. */
        QUEUE,
        /** Release them. */
        DROP,
        /** Report the heap in use after garbage collection. */
        HEAP,
        /** Report the processor time used so far. */
        CPU
    }

    private static final int ENVIRONMENT = 4;
    private static final int WORKLOAD = 5;

    private final Map<String, SubjectClients> users = new LinkedHashMap<>();
    private final LockHolder holder = new LockHolder();

    private ClientProgram() {}

    /**
     * Runs until it is told to end.
     *
     * @param args none: where the servers are and what to connect comes by the input
     */
    public static void main(String... args) {
        CommandServer server = CommandServer.onStandardStreams();
        ClientProgram program = new ClientProgram();
        try {
            server.serve(Runnable::run, program::perform, program::close);
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    private Message perform(Message command) throws Exception {
        List<String> arguments = command.arguments();
        Command which = Command.valueOf(command.word());
        if (which == Command.CONNECT) {
            connect(arguments);
            return command.answer("done");
        }
        Workload workload = Workload.ofArguments(arguments.subList(0, WORKLOAD));
        SubjectClients clients = Objects.requireNonNull(users.get(command.text(WORKLOAD)));
        long start = command.number(WORKLOAD + 1);
        Duration slice = Duration.ofNanos(command.number(WORKLOAD + 2));
        try {
            return command.answer(
                    "done", answer(which, clients, workload, start, slice).toArray());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private void connect(List<String> arguments) throws Exception {
        Environment environment = Environment.ofArguments(arguments.subList(0, ENVIRONMENT));
        for (String subject : arguments.subList(ENVIRONMENT, arguments.size())) {
            users.put(subject, SubjectClients.open(Subject.of(subject), environment));
        }
    }

    private List<String> answer(Command command, SubjectClients clients, Workload workload, long start, Duration slice)
            throws ExecutionException, InterruptedException {
        switch (command) {
            case CONNECT -> throw new IllegalStateException("connected already");
            case PREPARE -> clients.prepare(workload);
            case DISMISS -> clients.dismiss();
            case HOLD -> holder.hold(clients.first(), workload);
            case QUEUE -> Waiters.queue(clients.last(), workload);
            case DROP -> holder.drop();
            case WORK -> {
                return SliceLog.work(clients.of(workload), workload, start, slice)
                        .toArguments();
            }
            case FAILOVER -> {
                return FailoverClients.work(clients.of(workload), workload, start, slice)
                        .toArguments();
            }
            case CALL_STOPPED -> {
                return StoppedServerCallers.ask(clients.first(), workload, slice)
                        .toArguments();
            }
            case CPU -> {
                return List.of(Long.toString(cpuNanos()));
            }
            case HEAP -> {
                return List.of(Long.toString(HeapUsage.inUse()));
            }
        }
        return List.of();
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    private void close() throws Exception {
        for (SubjectClients clients : users.values()) {
            clients.close();
        }
    }
}
