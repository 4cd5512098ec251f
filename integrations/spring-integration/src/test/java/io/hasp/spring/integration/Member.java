package io.hasp.spring.integration;

import io.hasp.conformance.faults.FaultProxy;
import io.hasp.conformance.processes.ChildProcess;
import io.hasp.conformance.processes.CommandChannel;
import io.hasp.spring.integration.LeadershipFile.News;
import io.hasp.spring.integration.LeadershipFile.Term;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/** A candidate in a process of its own, behind a proxy of its own; after a kill there is a new process. */
final class Member implements AutoCloseable {
    private static final List<String> OPTIONS = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    final String name;
    final FaultProxy proxy;
    private final String uri;
    private final Path folder;
    private final String initiator;
    private final Duration heartbeat;
    private final List<Path> files = new CopyOnWriteArrayList<>();
    /** From and until. */
    private final List<long[]> pauses = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init") // by start
    private volatile ChildProcess process;

    @SuppressWarnings("NullAway.Init")
    private volatile CommandChannel channel;

    Member(String name, int port, IntFunction<String> uri, Path folder, String initiator, Duration heartbeat) {
        this.name = name;
        this.proxy = FaultProxy.before(port);
        this.uri = uri.apply(proxy.port());
        this.folder = folder;
        this.initiator = initiator;
        this.heartbeat = heartbeat;
    }

    void start() {
        Path file = folder.resolve(name + "-" + files.size());
        files.add(file);
        process = ChildProcess.start(any -> LeaderProcess.command(OPTIONS, uri, file, initiator, heartbeat));
        channel = CommandChannel.to(process);
        channel.awaitReady(name);
    }

    void kill() {
        process.kill();
        process.close();
    }

    void pause() {
        pauses.add(new long[] {System.nanoTime(), Long.MAX_VALUE});
        process.pause();
    }

    void resume() {
        process.resume();
        pauses.get(pauses.size() - 1)[1] = System.nanoTime();
    }

    void yieldLeadership() {
        channel.ask("yield");
    }

    boolean leads() {
        return process.alive() && toldToLead();
    }

    /**
     * Returns true if the last notification of its latest process was a begin; a paused process receives no later one.
     */
    boolean toldToLead() {
        List<News> news = LeadershipFile.news(name, files.get(files.size() - 1));
        return !news.isEmpty() && news.get(news.size() - 1).begins();
    }

    List<Term> terms() {
        return files.stream()
                .flatMap(file -> LeadershipFile.terms(name, file).stream())
                .toList();
    }

    List<News> news() {
        return files.stream()
                .flatMap(file -> LeadershipFile.news(name, file).stream())
                .toList();
    }

    /** Returns true if its process was stopped at some moment in between. */
    boolean paused(long from, long until) {
        return pauses.stream().anyMatch(pause -> pause[0] < until && from < pause[1]);
    }

    /** Ends it in the orderly way, so that its last leadership ends, too. */
    void end() {
        proxy.heal();
        channel.end(Duration.ofSeconds(20));
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        proxy.close();
    }
}
