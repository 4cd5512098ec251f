package io.hasp.evaluation.process;

import io.hasp.conformance.processes.CommandServer;
import io.hasp.conformance.processes.Message;
import io.hasp.evaluation.measure.FailoverClients;
import io.hasp.evaluation.measure.SliceLog;
import io.hasp.evaluation.measure.StoppedServerCallers;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.subject.Participant;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/**
 * The program of a client process. It has one connected client per lock, and more if a workload needs more. It executes
 * one command after the other, and ends on command or when its input ends.
 */
final class ClientProgram {
    /** The parent's commands. */
    enum Command {
        /** Connect the locks: the first command. Fails if none can connect. */
        CONNECT,
        /** Open the clients that a workload needs, and use each lock once. */
        PREPARE,
        /** Close all clients but the first. */
        DISMISS,
        /** Work in a closed loop for a slice. */
        WORK,
        /** Listen for a process to take turns with; the answer is the port. */
        LISTEN,
        /** Work as the owner, in turn with the process that comes. */
        WORK_AS_OWNER,
        /** Work in turn with the owner, which listens on the port that follows. */
        WORK_AS_OTHER,
        /** Work with two clients while the server that decides is killed. */
        FAILOVER,
        /** Send requests to stopped servers. */
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

    private static final int ENVIRONMENT = Environment.ARGUMENTS;
    private static final int WORKLOAD = Workload.ARGUMENTS;

    /** After the workload: the subject, the start, the slice. */
    private static final int COMMON = 3;

    private final Map<String, SubjectClients> users = new LinkedHashMap<>();
    private final Map<String, IllegalStateException> refused = new LinkedHashMap<>();
    private final LockHolder holder = new LockHolder();
    private final TurnTaker turnTaker = new TurnTaker();

    private ClientProgram() {}

    /**
     * Runs until the command to end.
     *
     * @param args none: the servers' addresses and the subjects arrive through the input
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
        Order order = new Order(
                Workload.ofArguments(arguments.subList(0, WORKLOAD)),
                clients(command.text(WORKLOAD)),
                command.number(WORKLOAD + 1),
                Duration.ofNanos(command.number(WORKLOAD + 2)),
                arguments.subList(WORKLOAD + COMMON, arguments.size()));
        try {
            return command.answer("done", answer(which, order).toArray());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** A lock that can't connect fails alone, at its first work, unless no lock can. */
    private void connect(List<String> arguments) throws InterruptedException {
        Environment environment = Environment.ofArguments(arguments.subList(0, ENVIRONMENT));
        for (String reference : arguments.subList(ENVIRONMENT, arguments.size())) {
            Participant subject = Participant.of(reference);
            try {
                users.put(subject.label(), open(subject, environment));
            } catch (IllegalStateException e) {
                refused.put(subject.label(), e);
            }
        }
        if (users.isEmpty() && !refused.isEmpty()) {
            throw refused.values().iterator().next();
        }
    }

    private SubjectClients clients(String label) {
        IllegalStateException why = refused.get(label);
        if (why != null) {
            throw why;
        }
        return Objects.requireNonNull(users.get(label));
    }

    private static SubjectClients open(Participant subject, Environment environment) throws InterruptedException {
        try {
            return SubjectClients.open(subject, environment);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(subject.label() + " can't connect: " + e.getMessage(), e);
        }
    }

    /** The arguments of a command, except for the first command. */
    private record Order(Workload workload, SubjectClients clients, long start, Duration slice, List<String> more) {}

    private List<String> answer(Command command, Order order)
            throws IOException, ExecutionException, InterruptedException {
        SubjectClients clients = order.clients();
        switch (command) {
            case CONNECT -> throw new IllegalStateException("connected already");
            case PREPARE -> clients.prepare(order.workload());
            case DISMISS -> clients.dismiss();
            case HOLD -> holder.hold(clients.first(), order.workload(), clients.holderThreads());
            case QUEUE -> Waiters.queue(clients.last(), order.workload());
            case DROP -> holder.drop();
            case LISTEN -> {
                return List.of(Integer.toString(turnTaker.listen()));
            }
            case CPU -> {
                return List.of(Long.toString(cpuNanos()));
            }
            case HEAP -> {
                return List.of(Long.toString(HeapUsage.inUse()));
            }
            default -> {
                return worked(command, order);
            }
        }
        return List.of();
    }

    private List<String> worked(Command command, Order order)
            throws IOException, ExecutionException, InterruptedException {
        SubjectClients clients = order.clients();
        Workload workload = order.workload();
        return switch (command) {
            case WORK ->
                SliceLog.work(clients.of(workload), workload, order.start(), order.slice())
                        .toArguments();
            case WORK_AS_OWNER ->
                turnTaker
                        .workAsOwner(clients.first(), workload, order.start(), order.slice())
                        .toArguments();
            case WORK_AS_OTHER ->
                turnTaker
                        .workAsOther(
                                clients.first(),
                                workload,
                                Integer.parseInt(order.more().get(0)),
                                order.start(),
                                order.slice())
                        .toArguments();
            case FAILOVER ->
                FailoverClients.work(clients.of(workload), workload, order.start(), order.slice())
                        .toArguments();
            case CALL_STOPPED ->
                StoppedServerCallers.ask(clients.first(), workload, order.slice())
                        .toArguments();
            default -> throw new IllegalArgumentException(command.name());
        };
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
