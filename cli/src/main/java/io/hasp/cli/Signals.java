package io.hasp.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the signals that end a program, for the life of the process. {@link #to} sets the handler of the moment. Thread-safe.
 *
 * <p>Java has only the JDK's internal class for signals. The compiler warns about each use of it, and the warning can't be suppressed, so it is called by reflection.
 */
final class Signals {
    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    private volatile @Nullable Consumer<Signal> handler;

    /**
     * Names a signal.
     *
     * @param name without {@code SIG}
     * @param number the same on all systems
     */
    record Signal(String name, int number) {}

    private Signals() {}

    /** A signal that was ignored when the process began, as by {@code nohup}, stays ignored. */
    static Signals receive() {
        Signals signals = new Signals();
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Constructor<?> named = type.getConstructor(String.class);
            Method handle = type.getMethod("handle", type, handlerType);
            for (Map.Entry<String, Integer> each : NUMBERS.entrySet()) {
                Signal signal = new Signal(each.getKey(), each.getValue());
                Object received = Proxy.newProxyInstance(
                        Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                            if (method.getName().equals("handle")) {
                                signals.received(signal);
                            }
                            return null;
                        });
                handle.invoke(null, named.newInstance(signal.name()), received);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM passes on no signals: " + e, e);
        }
        return signals;
    }

    /** Passes later signals to a handler, on a thread of the JVM. Without one, a signal ends the process at once. */
    void to(@Nullable Consumer<Signal> next) {
        handler = next;
    }

    private void received(Signal signal) {
        Consumer<Signal> now = handler;
        if (now == null) {
            Runtime.getRuntime().halt(Exit.SIGNALLED + signal.number());
        } else {
            now.accept(signal);
        }
    }
}
