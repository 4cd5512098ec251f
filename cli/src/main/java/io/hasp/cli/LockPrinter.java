package io.hasp.cli;

import io.hasp.LockView;

/** Prints locks, one after the other. */
interface LockPrinter {
    void print(LockView lock);

    /** Prints the rest. */
    void end();
}
