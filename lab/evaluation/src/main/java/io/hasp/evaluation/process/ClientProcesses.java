package io.hasp.evaluation.process;

import io.hasp.evaluation.servers.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Client processes, each connected to all subjects as this process is: started once, kept for all rounds. */
public final class ClientProcesses implements AutoCloseable {
    private final List<ClientHandle> clients = new ArrayList<>();

    private ClientProcesses() {}

    /**
     * Starts client processes.
     *
     * @param size how many
     * @param environment where the servers are
     * @param subjects what to connect
     * @return processes that are ready, ended by closing this
     * @throws IllegalStateException if no lock can connect, with what one says
     * @throws InterruptedException if the thread was interrupted
     */
    public static ClientProcesses start(int size, Environment environment, List<String> subjects)
            throws InterruptedException {
        ClientProcesses processes = new ClientProcesses();
        try {
            for (int each = 0; each < size; each++) {
                processes.clients.add(ClientHandle.start(environment, subjects));
            }
            processes.each(size, ClientHandle::connected);
            return processes;
        } catch (ExecutionException e) {
            processes.close();
            throw new IllegalStateException(
                    "a client process can't start: "
                            + Objects.requireNonNull(e.getCause()).getMessage(),
                    e);
        } catch (InterruptedException | RuntimeException e) {
            processes.close();
            throw e;
        }
    }

    /** A request to a process. */
    @FunctionalInterface
    interface Task<T> {
        CompletableFuture<T> of(ClientHandle client);
    }

    /** Sends a task to several processes at once and waits until all have answered, also if one fails. */
    <T> List<T> each(int count, Task<T> task) throws ExecutionException, InterruptedException {
        return answers(clients.subList(0, count).stream().map(task::of).toList());
    }

    /** The same for the first two processes, each with a task of its own. */
    <T> List<T> both(Task<T> first, Task<T> second) throws ExecutionException, InterruptedException {
        return answers(List.of(first.of(clients.get(0)), second.of(clients.get(1))));
    }

    private static <T> List<T> answers(List<CompletableFuture<T>> calls)
            throws ExecutionException, InterruptedException {
        CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).get();
        return calls.stream().map(CompletableFuture::join).toList();
    }

    /** Sends a task to the first process, or the only one, and does not wait for the answer. */
    <T> CompletableFuture<T> ask(Task<T> task) {
        return task.of(clients.get(0));
    }

    /** Sends a task to the last process, which does the work of a single one, and waits for the answer. */
    <T> List<T> single(Task<T> task) throws ExecutionException, InterruptedException {
        return answers(List.of(task.of(clients.get(clients.size() - 1))));
    }

    /** Kills all processes (SIGKILL), whatever they are doing. */
    void kill() {
        clients.forEach(ClientHandle::kill);
    }

    /** Ends all processes at once. */
    @Override
    public void close() {
        ExecutorService threads = Executors.newCachedThreadPool();
        clients.stream().map(client -> threads.submit(client::close)).toList().forEach(ClientProcesses::await);
        threads.shutdown();
    }

    private static void await(Future<?> closing) {
        boolean interrupted = false;
        while (true) {
            try {
                closing.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
