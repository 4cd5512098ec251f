package io.hasp.evaluation.process;

import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Shift;
import io.hasp.evaluation.measure.Workload;
import io.hasp.evaluation.subject.Addresses;
import io.hasp.evaluation.subject.Contestant;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;

/**
 * A client process of a comparison: one connected client of each lock, commands on standard input, outcomes on standard
 * output. It ends when its input does, however the process at the other end came to its end.
 */
final class ClientProcess {
    /** What it can be asked. */
    enum Command {
        /** To work for a slice. */
        WORK,
        /** To take locks and keep them. */
        HOLD,
        /** To give them back. */
        DROP,
        /** How much processor time it has used. */
        CPU
    }

    private final Map<String, LockUser> users = new LinkedHashMap<>();
    private final Keeper keeper = new Keeper();
    private final DataInputStream in;
    private final DataOutputStream out;

    private ClientProcess(DataInputStream in, DataOutputStream out) {
        this.in = in;
        this.out = out;
    }

    /**
     * Runs until the input ends.
     *
     * @param args where Redis is, where the nodes for Redlock are, where ZooKeeper is, and the subjects to connect
     */
    public static void main(String... args) {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        System.setOut(System.err);
        ClientProcess process = new ClientProcess(new DataInputStream(new BufferedInputStream(System.in)), out);
        try {
            if (process.connect(new Addresses(args[0], args[1], args[2]), args)) {
                process.serve();
            }
            process.close();
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    /** Says itself why it can't, in words that a user may read. */
    private boolean connect(Addresses addresses, String... args) throws IOException {
        try {
            for (int arg = 3; arg < args.length; arg++) {
                users.put(args[arg], Contestant.of(args[arg]).at(addresses).open());
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
                LockUser user = Objects.requireNonNull(users.get(in.readUTF()));
                perform(command, user);
                out.flush();
            } catch (EOFException e) {
                return;
            }
        }
    }

    private void perform(Command command, LockUser user) throws IOException, InterruptedException {
        Workload workload = Workload.read(in);
        long start = in.readLong();
        Duration slice = Duration.ofNanos(in.readLong());
        try {
            switch (command) {
                case WORK -> {
                    Shift shift = Shift.work(user, workload, start, slice);
                    out.writeBoolean(true);
                    shift.write(out);
                }
                case HOLD -> {
                    keeper.hold(user, workload);
                    out.writeBoolean(true);
                }
                case DROP -> {
                    keeper.drop();
                    out.writeBoolean(true);
                }
                case CPU -> {
                    out.writeBoolean(true);
                    out.writeLong(cpuNanos());
                }
            }
        } catch (ExecutionException e) {
            refuse(e.getCause() == null ? e : e.getCause());
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    private void close() throws Exception {
        for (LockUser user : users.values()) {
            user.close();
        }
    }
}
