package io.hasp.evaluation.subject;

import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.Entrant;
import io.hasp.evaluation.servers.Setting;
import java.util.ArrayList;
import java.util.List;

/** One connected client of each lock that takes part; all stay connected from the first round to the last. */
public final class Connected implements AutoCloseable {
    private final List<Entrant> entrants = new ArrayList<>();
    private final List<LockUser> users = new ArrayList<>();

    private Connected() {}

    /**
     * Connects them all.
     *
     * @param contestants who takes part
     * @param setting where their servers are
     * @return the clients, closed by the caller
     * @throws Exception if one can't be connected
     */
    public static Connected to(List<Contestant> contestants, Setting setting) throws Exception {
        Connected connected = new Connected();
        try {
            for (Contestant contestant : contestants) {
                LockUser user = open(contestant, setting);
                connected.users.add(user);
                connected.entrants.add(Entrant.here(contestant.label(), user));
            }
            return connected;
        } catch (Exception e) {
            connected.close();
            throw e;
        }
    }

    private static LockUser open(Contestant contestant, Setting setting) throws InterruptedException {
        try {
            return contestant.in(setting).open();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(contestant.label() + " can't connect: " + e.getMessage(), e);
        }
    }

    /**
     * The clients.
     *
     * @return in the order of the contestants
     */
    public List<Entrant> entrants() {
        return List.copyOf(entrants);
    }

    @Override
    public void close() throws Exception {
        for (LockUser user : users) {
            user.close();
        }
    }
}
