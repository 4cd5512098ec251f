package io.hasp.conformance.processes;

import io.hasp.conformance.HaspSubject;
import io.hasp.conformance.LockSubject;

/** Creates elections of Hasp as the locks under test of a client process. The argument is the backend's URI. */
public final class ElectionSubjectFactory implements SubjectFactory {

    @Override
    public LockSubject subject(String uri) {
        return HaspSubject.at("hasp-election", uri).electing();
    }
}
