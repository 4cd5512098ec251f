package io.hasp.conformance.processes;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;

/** Hasp itself in a client process; the argument is the backend's URI. The backend must be on the class path. */
public final class HaspSubjectFactory implements SubjectFactory {

    @Override
    public LockSubject subject(String uri) {
        return HaspSubject.at("hasp", uri);
    }
}
