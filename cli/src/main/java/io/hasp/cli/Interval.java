package io.hasp.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option of commands that look again and again, until a signal ends them. */
final class Interval {
    private static final double LEAST = 0.1;
    private static final double MOST = 86_400;
    private static final int MILLIS = 1000;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "The time between two looks: 0.1 to 86400, ${DEFAULT-VALUE} unless given.")
    private double seconds;

    /** Runs a task at once and after each interval. Returns the exit code for the signal that ended it, 0 if the output failed. */
    int repeat(CommandSpec spec, Runnable look) throws InterruptedException {
        Duration pause = pause(spec);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger number = new AtomicInteger();
        Signals.receive().to(signal -> {
            number.set(signal.number());
            ended.countDown();
        });
        do {
            look.run();
            if (spec.commandLine().getOut().checkError()) {
                return Exit.OK;
            }
        } while (!ended.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        return Exit.SIGNALLED + number.get();
    }

    private Duration pause(CommandSpec spec) {
        if (!(seconds >= LEAST && seconds <= MOST)) {
            throw new ParameterException(
                    spec.commandLine(), "--interval is " + seconds + ", but must be from 0.1 to 86400 seconds");
        }
        return Duration.ofMillis((long) (seconds * MILLIS));
    }
}
