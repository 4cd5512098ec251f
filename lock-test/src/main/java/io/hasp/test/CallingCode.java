package io.hasp.test;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the place in the code under test that requests a lock. */
final class CallingCode {
    private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);
    private static final Set<Class<?>> KIT =
            Set.of(CallingCode.class, Request.class, Requests.class, RecordingBackend.class, Threads.class);
    private static final Set<String> API = Set.of("io.hasp", "io.hasp.spi", "io.hasp.locked.spi");
    /** Packages of the engine, and of containers between a caller and its method. */
    private static final List<String> BETWEEN = List.of(
            "io.hasp.engine",
            "io.hasp.guice.",
            "io.hasp.micrometer.",
            "io.hasp.spring.",
            "io.micrometer.",
            "org.springframework.",
            "com.google.inject.",
            "java.",
            "jdk.",
            "sun.");

    private CallingCode() {}

    /** Returns the innermost frame outside of Hasp; empty on a thread of the client. */
    static Optional<StackTraceElement> place() {
        return STACK.walk(
                frames -> frames.filter(CallingCode::isUsers).findFirst().map(StackFrame::toStackTraceElement));
    }

    private static boolean isUsers(StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return !KIT.contains(type.getNestHost())
                && !API.contains(type.getPackageName())
                && !type.getName().contains("$$")
                && BETWEEN.stream().noneMatch(type.getName()::startsWith);
    }
}
