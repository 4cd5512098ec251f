package io.hasp.conformance.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A child process of this JVM. */
final class NativeServerRun implements ServerRun {
    private final Process process;

    private NativeServerRun(Process process) {
        this.process = process;
    }

    static NativeServerRun start(List<String> command, Path folder, Path log) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        process.getOutputStream().close();
        return new NativeServerRun(process);
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public boolean alive() {
        return process.isAlive();
    }

    @Override
    public int exitCode() {
        return process.exitValue();
    }

    @Override
    public void signal(String name) {
        if (name.equals("KILL")) {
            process.destroyForcibly();
            return;
        }
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start();
            if (kill.waitFor() != 0 && process.isAlive()) {
                throw new ServerException("can't send SIG" + name + " to process " + process.pid(), null);
            }
        } catch (IOException e) {
            throw new ServerException("can't send SIG" + name + " to process " + process.pid(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while sending SIG" + name, e);
        }
    }

    /** Not by {@link Process#onExit}: it needs a thread of the common pool, which may be one, and taken. */
    @Override
    public void awaitEnd() {
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
