package io.hasp.micrometer;

import java.util.function.Supplier;

/** Has the package of {@code ObservedLock}, which calls the API for the program. */
public final class Observed {
    private Observed() {}

    public static <T> T call(Supplier<T> request) {
        return request.get();
    }
}
