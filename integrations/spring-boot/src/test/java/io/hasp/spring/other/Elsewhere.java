package io.hasp.spring.other;

import io.hasp.locked.Locked;

/** Has a method that subclasses in other packages don't override. */
public class Elsewhere {
    @Locked("a")
    void run() {}

    /** Calls it. */
    public void call() {
        run();
    }
}
