package io.hasp.evaluation.process;

import io.hasp.evaluation.measure.FailoverClients;
import io.hasp.evaluation.measure.SliceLog;
import io.hasp.evaluation.measure.StoppedServerCallers;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.subject.Subject;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/**
 * The program of a client process. It has one connected client of each lock, more if a workload needs more. It reads
 * commands from standard input and writes replies to standard output. It ends when its input ends, however its parent
 * ended.
 */
final class ClientProgram {
    /** Its first output; anything before it on standard output comes from the JVM. */
    static final String GREETING = "hasp client process ready for commands:";

    /** What its parent can send. */
    enum Command {
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

    private final Map<String, SubjectClients> users = new LinkedHashMap<>();
    private final LockHolder holder = new LockHolder();
    private final DataInputStream in;
    private final DataOutputStream out;

    private ClientProgram(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /**
     * Runs until the input ends.
     *
     * @param args none: where the servers are and what to connect comes by the input
     */
    public static void main(String... args) {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        System.setOut(System.err);
        ClientProgram process = new ClientProgram(new DataInputStream(new BufferedInputStream(System.in)), out);
        try {
            out.writeBytes(GREETING);
            if (process.connect()) {
                process.serve();
            }
            process.close();
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    /** Replies with the reason if it can't, in words for the user. */
    private boolean connect() throws IOException {
        Environment environment = Environment.read(in);
        List<String> subjects = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            subjects.add(in.readUTF());
        }
        try {
            for (String subject : subjects) {
                users.put(subject, SubjectClients.open(Subject.of(subject), environment));
            }
            out.writeBoolean(true);
            return true;
        } catch (Exception e) {
            refuse(e);
            return false;
        } finally {
            out.flush();
        }
    }

    private void refuse(Throwable why) throws IOException {
        out.writeBoolean(false);
        out.writeUTF(why.getMessage() == null ? why.toString() : why.getMessage());
    }

    private void serve() throws IOException, InterruptedException {
        while (true) {
            try {
                Command command = Command.valueOf(in.readUTF());
                SubjectClients clients = Objects.requireNonNull(users.get(in.readUTF()));
                perform(command, clients);
                out.flush();
            } catch (EOFException e) {
                return;
            }
        }
    }

    private void perform(Command command, SubjectClients clients) throws IOException, InterruptedException {
        Workload workload = Workload.read(in);
        long start = in.readLong();
        Duration slice = Duration.ofNanos(in.readLong());
        try {
            Answer answer = answer(command, clients, workload, start, slice);
            out.writeBoolean(true);
            answer.write(out);
        } catch (ExecutionException e) {
            refuse(e.getCause() == null ? e : e.getCause());
        }
    }

    private interface Answer {
        void write(DataOutputStream out) throws IOException;
    }

    private Answer answer(Command command, SubjectClients clients, Workload workload, long start, Duration slice)
            throws ExecutionException, InterruptedException {
        switch (command) {
            case PREPARE -> clients.prepare(workload);
            case DISMISS -> clients.dismiss();
            case HOLD -> holder.hold(clients.first(), workload);
            case QUEUE -> Waiters.queue(clients.last(), workload);
            case DROP -> holder.drop();
            case WORK -> {
                return SliceLog.work(clients.of(workload), workload, start, slice)::write;
            }
            case FAILOVER -> {
                return FailoverClients.work(clients.of(workload), workload, start, slice)::write;
            }
            case CALL_STOPPED -> {
                return StoppedServerCallers.ask(clients.first(), workload, slice)::write;
            }
            case CPU -> {
                long nanos = cpuNanos();
                return to -> to.writeLong(nanos);
            }
            case HEAP -> {
                long bytes = HeapUsage.inUse();
                return to -> to.writeLong(bytes);
            }
        }
        return to -> {};
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
