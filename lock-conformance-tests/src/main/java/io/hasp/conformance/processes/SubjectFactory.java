package io.hasp.conformance.processes;

import io.hasp.conformance.LockSubject;

/**
 * Makes a lock under test in a client process. Implementations are public or nested static classes with a constructor
 * without parameters, on the class path of the test.
 */
@FunctionalInterface
public interface SubjectFactory {

    /**
     * Makes the subject.
     *
     * @param argument what the test passed on, for example a URI
     * @return the subject; the process opens one client of it
     */
    LockSubject subject(String argument);
}
