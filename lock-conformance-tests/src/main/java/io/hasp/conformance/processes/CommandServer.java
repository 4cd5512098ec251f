package io.hasp.conformance.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/**
 * The child process's end of a {@link CommandChannel}. Commands arrive on standard input and answers leave on standard
 * output, one per line. Everything else printed to standard output goes to standard error instead. Several threads may
 * send answers.
 */
public final class CommandServer {
    static final String GREETING = "0 ready";
    static final String FAILED = "failed";
    static final String EXIT = "exit";

    private final PrintStream answers;

    private CommandServer(PrintStream answers) {
        this.answers = answers;
    }

    /**
     * Takes the standard streams of this process, before any library can print.
     *
     * @return a server that has not said yet that it serves
     */
    public static CommandServer onStandardStreams() {
        CommandServer server = new CommandServer(System.out);
        System.setOut(System.err);
        return server;
    }

    /** Does one command. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Executes a command.
         *
         * @param command the command
         * @return its answer, made by {@link Message#answer}
         * @throws Exception sent to the caller, with its type and message
         */
        Message perform(Message command) throws Exception;
    }

    /** Ends what the process has open. */
    @FunctionalInterface
    public interface Ending {
        /**
         * Ends the process's work.
         *
         * @throws Exception sent to the caller
         */
        void run() throws Exception;
    }

    /**
     * Serves until the command to end arrives, or the input ends.
     *
     * @param threads run the commands
     * @param handler executes them
     * @param ending called on the command to end
     * @throws IOException if the input can't be read
     */
    public void serve(Executor threads, Handler handler, Ending ending) throws IOException {
        // Earlier output may lack the end of its line.
        answers.println();
        answers.println(GREETING);
        answers.flush();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Message command = Message.parse(line);
            if (command.word().equals(EXIT)) {
                answer(command, exit -> {
                    ending.run();
                    return exit.answer("done");
                });
                return;
            }
            threads.execute(() -> answer(command, handler));
        }
    }

    private void answer(Message command, Handler handler) {
        Message answer;
        try {
            answer = handler.perform(command);
        } catch (Exception | Error e) {
            answer = command.answer(FAILED, e.getClass().getName(), String.valueOf(e.getMessage()));
        }
        answers.println(answer.line());
        answers.flush();
    }
}
