package io.hasp.redis.mutants;

/** Writes the same value whoever takes the lock: the comparison before the delete tells nobody apart. */
final class FixedValue extends TutorialLock {

    FixedValue(int port) {
        super(port);
    }

    @Override
    String newValue() {
        return "locked";
    }
}
