package io.hasp.conformance.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/**
 * The side of the child process: does what a {@link CommandChannel} asks. Commands come on standard input and answers go to
 * standard output, one a line; what anything else prints there goes to standard error instead. Answers may be sent by
 * several threads.
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
         * Does it.
         *
         * @param command what to do
         * @return its answer, made by {@link Message#answer}
         * @throws Exception told to who asked, with its type and message
         */
        Message perform(Message command) throws Exception;
    }

    /** Ends what the process has open. */
    @FunctionalInterface
    public interface Ending {
        /**
         * Ends it.
         *
         * @throws Exception told to who asked
         */
        void run() throws Exception;
    }

    /**
     * Serves until it is told to end, or its input ends.
     *
     * @param threads run the commands
     * @param handler does them
     * @param ending is called if it was told to end
     * @throws IOException if the input can't be read
     */
    public void serve(Executor threads, Handler handler, Ending ending) throws IOException {
        // What was printed before may not have ended its line.
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
