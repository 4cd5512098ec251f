package io.hasp.redis.blocking;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Loops that handle every element even if one throws. A socket or a thread that is left out would never be closed. */
public final class ExceptionSafe {
    private ExceptionSafe() {}

    /** Runs the action for each element. Throws the first failure at the end. */
    public static <T> void forEach(Iterable<T> all, Consumer<? super T> action) {
        Throwable first = null;
        for (T one : all) {
            try {
                action.accept(one);
            } catch (RuntimeException | Error e) {
                first = first == null ? e : first;
            }
        }
        rethrow(first);
    }

    /** Throws the argument unless it is null. */
    public static void rethrow(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }
}
