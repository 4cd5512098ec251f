package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import io.hasp.evaluation.measure.ConnectedSubject;
import io.hasp.evaluation.servers.Environment;
import java.util.ArrayList;
import java.util.List;

/** One connected client of each lock that takes part; all stay connected from the first round to the last. */
public final class ConnectedSubjects implements AutoCloseable {
    private final List<ConnectedSubject> subjects = new ArrayList<>();
    private final List<LockUser> users = new ArrayList<>();

    private ConnectedSubjects() {}

    /**
     * Connects them all.
     *
     * @param subjects who takes part
     * @param environment where their servers are
     * @return the clients, closed by the caller
     * @throws Exception if one can't be connected
     */
    public static ConnectedSubjects to(List<Subject> subjects, Environment environment) throws Exception {
        ConnectedSubjects connected = new ConnectedSubjects();
        try {
            for (Subject subject : subjects) {
                LockSubject lock = subject.in(environment);
                LockUser user = open(subject, lock);
                connected.users.add(user);
                connected.subjects.add(ConnectedSubject.here(subject.label(), lock.claims(), user));
            }
            return connected;
        } catch (Exception e) {
            connected.close();
            throw e;
        }
    }

    private static LockUser open(Subject subject, LockSubject lock) throws InterruptedException {
        try {
            return lock.open();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(subject.label() + " can't connect: " + e.getMessage(), e);
        }
    }

    /**
     * The clients.
     *
     * @return in the order of the subjects
     */
    public List<ConnectedSubject> subjects() {
        return List.copyOf(subjects);
    }

    @Override
    public void close() throws Exception {
        for (LockUser user : users) {
            user.close();
        }
    }
}
