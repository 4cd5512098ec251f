package io.hasp.conformance.processes;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;

/**
 * Creates Hasp as the lock under test of a client process. The argument is the backend's URI; the backend must be on
 * the class path.
 */
public final class HaspSubjectFactory implements SubjectFactory {

    @Override
    public LockSubject subject(String uri) {
        return HaspSubject.at("hasp", uri);
    }
}
