package io.hasp.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One run of the command in this JVM. */
record InProcess(int exit, String out, String err) {
    static InProcess run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Hasp.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new InProcess(exit, out.toString(), err.toString());
    }
}
