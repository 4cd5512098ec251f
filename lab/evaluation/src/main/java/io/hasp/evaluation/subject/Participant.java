package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.servers.Environment;
import io.hasp.evaluation.servers.Service;
import io.hasp.evaluation.subject.Subject.Role;
import java.util.Optional;

/** A lock that takes part in a comparison: one of those that come with it, or one from a jar of the user's. */
public interface Participant {

    /**
     * Returns the participant's name in results.
     *
     * @return its name in lower case
     */
    String label();

    /**
     * By what another process finds it.
     *
     * @return a text for {@link #of}
     */
    default String reference() {
        return label();
    }

    /**
     * The service it runs on.
     *
     * @return the service
     */
    Service service();

    /**
     * Returns the participant's role.
     *
     * @return the role
     */
    Role role();

    /**
     * Returns true if it keeps released locks until another client requests them.
     *
     * @return true if it keeps locks
     */
    default boolean keeps() {
        return false;
    }

    /**
     * Returns true if it takes part in an experiment when the user chose no locks. Such a comparison leaves out results
     * that are not compared with others.
     *
     * @param experiment the question
     * @return true if it takes part
     */
    default boolean isAsked(Experiment experiment) {
        return true;
    }

    /**
     * Returns true if it can wait for a busy lock. Otherwise it takes part only in work without waiting.
     *
     * @return true if it can wait
     */
    default boolean waits() {
        return true;
    }

    /**
     * The same lock without the one option that it is measured for.
     *
     * @return empty unless it is to be compared with that
     */
    default Optional<? extends Participant> plain() {
        return Optional.empty();
    }

    /**
     * The least work through the client library that it uses.
     *
     * @return empty if that is the baseline of its service
     */
    default Optional<? extends Participant> clientBaseline() {
        return Optional.empty();
    }

    /**
     * The lock itself.
     *
     * @param environment where its servers are
     * @return the lock, not yet connected
     */
    LockSubject in(Environment environment);

    /**
     * Finds one.
     *
     * @param reference as {@link #reference} gives it
     * @return the participant
     * @throws IllegalArgumentException if there is none
     */
    static Participant of(String reference) {
        return reference.contains(JarSubject.AT) ? JarSubject.of(reference) : Subject.of(reference);
    }
}
