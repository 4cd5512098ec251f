package io.hasp.evaluation.subject;

import io.hasp.conformance.LockSubject;
import io.hasp.conformance.LockUser;
import java.time.Duration;
import java.util.Set;

/**
 * One kind of lock of a library that has several: its rules apply to that kind alone, under its own name.
 *
 * @param name its name in reports
 * @param library all kinds
 * @param claims the claims of this kind
 */
record Claiming(String name, LockSubject library, Set<Claimed> claims) implements LockSubject {

    Claiming(String name, LockSubject library, Claimed... claims) {
        this(name, library, Set.of(claims));
    }

    @Override
    public Duration silence() {
        return library.silence();
    }

    @Override
    public LockUser open() throws Exception {
        return library.open();
    }
}
