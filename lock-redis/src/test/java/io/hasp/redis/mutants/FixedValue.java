package io.hasp.redis.mutants;

/** Writes the same value for every holder: the comparison before the delete does not distinguish holders. */
final class FixedValue extends TutorialLock {

    FixedValue(int port) {
        super(port);
    }

    @Override
    String newValue() {
        return "locked";
    }
}
