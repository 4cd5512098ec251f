package io.hasp.examples.counter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Ten workers in five processes add one to the number in a file, again and again. In the middle one process is killed while
 * it holds the lock, between its read and its write. No number that was written is lost.
 */
public final class Counter {
    private static final int PROCESSES = 5;

    private final String uri;
    private final Path file;

    private Counter(String uri, Path file) {
        this.uri = uri;
        this.file = file;
    }

    /**
     * Counts.
     *
     * @param args the URI of a lock service, such as {@code redis://127.0.0.1:6379?renewedLease=5s}
     * @throws Exception if a worker fails
     */
    public static void main(String[] args) throws Exception {
        Count count = run(args[0]);
        System.out.println("the workers reported " + count.reported() + " increments, one process was killed");
        System.out.println("the file says " + count.written() + (count.lost() == 0 ? ": nothing is lost" : ": LOST"));
    }

    /**
     * Counts.
     *
     * @param uri of a lock service
     * @return what the file says in the end, and what the workers said
     * @throws Exception if a worker fails
     */
    static Count run(String uri) throws Exception {
        Path file = Files.createTempFile("hasp-counter-", ".txt");
        try {
            Files.writeString(file, "0");
            long reported = new Counter(uri, file).reported();
            return new Count(Long.parseLong(Files.readString(file)), reported);
        } finally {
            Files.delete(file);
        }
    }

    /** The final number in the file, and the number of increments that the workers reported. */
    record Count(long written, long reported) {
        long lost() {
            return reported - written;
        }
    }

    private long reported() throws Exception {
        List<Process> workers = new ArrayList<>();
        ExecutorService readers = Executors.newFixedThreadPool(PROCESSES);
        try {
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(start(i == 0));
            }
            List<Callable<Long>> reports = new ArrayList<>();
            for (Process worker : workers) {
                BufferedReader said = worker.inputReader();
                expect(Worker.READY, said.readLine());
                reports.add(() -> follow(worker, said));
            }
            for (Process worker : workers) {
                go(worker);
            }
            long sum = 0;
            for (Future<Long> report : readers.invokeAll(reports)) {
                sum += report.get();
            }
            return sum;
        } finally {
            readers.shutdownNow();
            workers.forEach(Process::destroyForcibly);
        }
    }

    private Process start(boolean victim) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        return new ProcessBuilder(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        // Standard output is for what the worker says, not for warnings of its JVM.
                        "-XX:-UsePerfData",
                        "-Xlog:disable",
                        "-Xlog:all=warning:stderr",
                        "-cp",
                        classPath,
                        Worker.class.getName(),
                        uri,
                        file.toString(),
                        Boolean.toString(victim))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void go(Process worker) throws IOException {
        Writer commands = worker.outputWriter();
        commands.write("go\n");
        commands.flush();
    }

    /** Counts what a process reports, and kills it (SIGKILL) when it stands still with the lock in its hand. */
    private static long follow(Process worker, BufferedReader said) throws IOException, InterruptedException {
        long reported = 0;
        for (String word = said.readLine(); word != null; word = said.readLine()) {
            if (word.equals(Worker.HOLDING)) {
                worker.destroyForcibly().waitFor();
                return reported;
            }
            expect(Worker.COUNTED, word);
            reported++;
        }
        expect("exit code 0", "exit code " + worker.waitFor());
        return reported;
    }

    private static void expect(String word, String said) {
        if (!word.equals(said)) {
            throw new IllegalStateException("a worker said '" + said + "' instead of '" + word + "'");
        }
    }
}
