package io.hasp.redis.blocking;

import io.hasp.spi.ClientThreads;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that read and write for virtual threads. An interrupt of a virtual thread closes the socket that it reads from (JDK 21 and
 * later). Sockets are shared here, so the interrupt of one caller would break off the calls of others, and its own release.
 */
public final class PlatformThreads {
    private static final long IDLE_SECONDS = 10;
    private static final MethodHandle IS_VIRTUAL = isVirtual();

    private PlatformThreads() {}

    private static MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            // Before JDK 21 there are none.
            return MethodHandles.dropArguments(MethodHandles.constant(boolean.class, false), 0, Thread.class);
        }
    }

    /** True if the calling thread must not use shared sockets itself. */
    public static boolean needed() {
        try {
            return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("Thread.isVirtual declares no exception", e);
        }
    }

    /** Creates a pool of at most this number of daemon threads. Threads start on demand, and end when idle. */
    public static ThreadPoolExecutor atMost(int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> ClientThreads.daemon(task, "hasp-redis-io"));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
