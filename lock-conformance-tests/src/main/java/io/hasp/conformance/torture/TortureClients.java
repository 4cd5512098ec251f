package io.hasp.conformance.torture;

import io.hasp.conformance.Timings;
import io.hasp.conformance.history.History;
import io.hasp.conformance.processes.ClientJvm;
import io.hasp.conformance.processes.WorkingClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The clients of a torture, each in its place; a client that was killed is followed by a new one. Thread-safe. */
public final class TortureClients implements AutoCloseable {

    /** Opens clients for a torture. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens one.
         *
         * @param name its name in the history
         * @return an open client
         * @throws Exception if that can't be done
         */
        WorkingClient open(String name) throws Exception;
    }

    /** For how long those clients that do so keep a lock without a use. */
    public static final Duration KEEP = Timings.lease().dividedBy(3);

    private final Opener opener;
    private final AtomicReferenceArray<WorkingClient> places;
    private final List<WorkingClient> all = new ArrayList<>();

    TortureClients(Opener opener, int count) throws Exception {
        this.opener = opener;
        this.places = new AtomicReferenceArray<>(count);
        try {
            for (int place = 0; place < count; place++) {
                replace(place);
            }
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /**
     * The URI of a client: every second one keeps the locks that it gave back. For a backend that recalls them.
     *
     * @param name the client's
     * @param uri of those that do not, with a parameter at least
     * @return the one for this client
     */
    public static String uri(String name, String uri) {
        return keeps(name) ? uri + "&keep=" + KEEP.toMillis() + "ms" : uri;
    }

    /**
     * Returns true if a client is one of those that keep locks.
     *
     * @param name the client's name
     * @return true in every second place
     */
    public static boolean keeps(String name) {
        return Integer.parseInt(name.substring(1, name.indexOf('.'))) % 2 == 1;
    }

    /**
     * Returns the number of clients.
     *
     * @return the number of places
     */
    public int count() {
        return places.length();
    }

    /**
     * The client in a place.
     *
     * @param place from 0
     * @return the latest one
     */
    public WorkingClient get(int place) {
        return places.get(place);
    }

    /**
     * The client in a place, if it has a process of its own.
     *
     * @param choice any number; picks a place
     * @return the process
     * @throws IllegalStateException if it has none
     */
    public ClientJvm process(long choice) {
        if (places.get(place(choice)) instanceof ClientJvm process) {
            return process;
        }
        throw new IllegalStateException("these clients have no processes of their own");
    }

    /**
     * Turns any number into a place.
     *
     * @param choice any number
     * @return a place
     */
    public int place(long choice) {
        return (int) Long.remainderUnsigned(choice, places.length());
    }

    /**
     * Puts a new client into a place; the old one stays as it is until the end.
     *
     * @param place from 0
     * @throws Exception if none can be opened
     */
    public void replace(int place) throws Exception {
        synchronized (all) {
            WorkingClient client = opened("c" + place + "." + all.size());
            all.add(client);
            places.set(place, client);
        }
    }

    History history() {
        synchronized (all) {
            return History.merge(all.stream().map(WorkingClient::history).toList());
        }
    }

    /** Ends all clients. Their histories stay. */
    @Override
    public void close() throws Exception {
        synchronized (all) {
            for (WorkingClient client : all) {
                client.close();
            }
        }
    }

    /** A busy machine may be too slow for the command timeout of a client that starts; that breaks no promise. */
    private WorkingClient opened(String name) throws Exception {
        try {
            return opener.open(name);
        } catch (IllegalStateException notStarted) {
            return opener.open(name);
        }
    }
}
