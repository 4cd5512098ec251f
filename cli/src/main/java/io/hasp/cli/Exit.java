package io.hasp.cli;

/** The exit codes of the command. Numbers from 64 on are those of BSD's {@code sysexits.h}; a shell uses 126 and more. */
final class Exit {
    static final int OK = 0;

    /** A lock that is busy, a break that broke nothing, a finding of the doctor. */
    static final int NO = 1;

    static final int USAGE = 64;
    static final int UNREACHABLE = 69;
    static final int SOFTWARE = 70;
    static final int OUTPUT = 74;
    static final int LOST = 75;
    static final int CANNOT_RUN = 126;
    static final int SIGNALLED = 128;
    static final int MOST = 255;

    private Exit() {}
}
