package io.hasp;

import io.hasp.engine.LockEngine;
import io.hasp.engine.lease.HeldLease;
import io.hasp.engine.lease.LeaseTerms;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.LockName;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A hash of the state of one engine, for counting distinct states. Reflection finds each field that a driver leads to, so that none
 * is forgotten. A moment counts as past, ahead or never. Ids, tokens, texts and what all locks of a client share do not count. Not
 * thread-safe.
 */
final class EngineStateHash {
    private static final String ENGINE = LockEngine.class.getPackageName();
    private static final Set<String> SHARED = Set.of(
            "SharedServices",
            "EngineSettings",
            "Keeping",
            "RenewalTimer",
            "LockEngine",
            "PoolExecutor",
            "EffectStarter",
            "BackendRequests");
    private static final Set<Class<?>> VALUES = Set.of(
            Optional.class,
            Duration.class,
            CompletableFuture.class,
            BackendFailure.class,
            LockName.class,
            AtomicBoolean.class);
    private static final long AGES = Long.MAX_VALUE / 16;
    private static final Field DRIVERS = drivers();
    private static final Method HAS = has();

    private static final ClassValue<StateFields> FIELDS = new ClassValue<>() {
        @Override
        protected StateFields computeValue(Class<?> type) {
            return new StateFields(type);
        }
    };

    /** The fields of one class that belong to the state of the engine. */
    private static final class StateFields {
        final Field[] moments;
        final Field[] numbers;
        final Field[] flags;
        final Field[] references;
        final boolean counts;

        StateFields(Class<?> type) {
            counts = isOfEngine(type)
                    && !type.isHidden()
                    && !type.isAnonymousClass()
                    && !SHARED.contains(type.getSimpleName());
            List<Field> all = new ArrayList<>();
            for (Class<?> each = type; counts && each != Object.class; each = each.getSuperclass()) {
                all.addAll(Arrays.asList(each.getDeclaredFields()));
            }
            all.removeIf(field -> Modifier.isStatic(field.getModifiers()) || field.isSynthetic());
            all.forEach(field -> field.setAccessible(true));
            moments = of(all, long.class);
            numbers = of(all, int.class);
            flags = of(all, boolean.class);
            references = all.stream().filter(field -> counts(field.getType())).toArray(Field[]::new);
        }

        /** True if a field of that type can lead to a part of the state. */
        private static boolean counts(Class<?> type) {
            return type.isEnum()
                    || VALUES.contains(type)
                    || Collection.class.isAssignableFrom(type)
                    || Map.class.isAssignableFrom(type)
                    || (isOfEngine(type) && !SHARED.contains(type.getSimpleName()));
        }

        private static boolean isOfEngine(Class<?> type) {
            String name = type.getPackageName();
            return name.equals(ENGINE) || name.startsWith(ENGINE + ".");
        }

        private static Field[] of(List<Field> all, Class<?> type) {
            return all.stream().filter(field -> field.getType() == type).toArray(Field[]::new);
        }
    }

    private final Map<?, ?> drivers;
    private Object[] seen = new Object[32];
    private int seenCount;
    private long now;

    EngineStateHash(LockEngine engine) {
        try {
            drivers = (Map<?, ?>) DRIVERS.get(engine);
        } catch (IllegalAccessException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    private static Field drivers() {
        try {
            Field field = LockEngine.class.getDeclaredField("drivers");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    private static Method has() {
        try {
            Method method = Class.forName(ENGINE + ".driver.LockDriver").getDeclaredMethod("has", HeldLease.class);
            method.setAccessible(true);
            return method;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    /** True if that lease is the present one of its holder id. */
    boolean holds(HeldLease lease) {
        try {
            for (Object driver : drivers.values()) {
                if ((boolean) HAS.invoke(driver, lease)) {
                    return true;
                }
            }
            return false;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    /** The hash at a moment of the engine's clock. */
    long at(long moment) {
        now = moment;
        long all = 0;
        for (Object driver : drivers.values()) {
            seenCount = 0;
            all += mixed(of(driver));
        }
        Arrays.fill(seen, null);
        return all;
    }

    private long of(@Nullable Object part) {
        if (part == null) {
            return 1;
        } else if (part instanceof Enum<?> constant) {
            return constant.name().hashCode();
        } else if (part instanceof Collection<?> many) {
            return of(many);
        } else if (part instanceof Map<?, ?> byKey) {
            return of(byKey.values());
        } else if (part instanceof LeaseTerms || part instanceof Duration || part instanceof Optional<?>) {
            return part.hashCode();
        } else if (part instanceof AtomicBoolean flag) {
            return flag.get() ? 3 : 2;
        } else if (part instanceof LockName name) {
            return name.value().hashCode();
        } else if (part instanceof CompletableFuture<?> future) {
            return future.isDone() ? 5 : 6;
        } else if (part instanceof BackendFailure failure) {
            return 31L * failure.kind().name().hashCode()
                    + failure.outcome().name().hashCode();
        }
        StateFields fields = FIELDS.get(part.getClass());
        return fields.counts ? of(part, fields) : 8;
    }

    private long of(Collection<?> many) {
        if (many.isEmpty()) {
            return 9;
        }
        long hash = many.size();
        for (Object one : many) {
            hash = mixed(hash * 31 + of(one));
        }
        return hash;
    }

    private long of(Object part, StateFields fields) {
        for (int i = 0; i < seenCount; i++) {
            if (seen[i] == part) {
                return 1_000L + i;
            }
        }
        if (seenCount == seen.length) {
            seen = Arrays.copyOf(seen, 2 * seenCount);
        }
        seen[seenCount++] = part;
        try {
            return hash(part, fields);
        } catch (IllegalAccessException e) {
            throw new LinkageError("the engine has changed", e);
        }
    }

    private long hash(Object part, StateFields fields) throws IllegalAccessException {
        long hash = fields.references.length;
        for (Field field : fields.flags) {
            hash = hash * 2 + (field.getBoolean(part) ? 1 : 0);
        }
        for (Field field : fields.numbers) {
            hash = hash * 31 + field.getInt(part);
        }
        for (Field field : fields.moments) {
            hash = hash * 5 + moment(field.getLong(part));
        }
        hash = mixed(hash);
        for (Field field : fields.references) {
            hash = mixed(hash * 31 + of(field.get(part)));
        }
        return hash;
    }

    private int moment(long value) {
        if (value <= 0) {
            return value < 0 ? 4 : 0;
        }
        return value > AGES ? 3 : value <= now ? 1 : 2;
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long z) {
        long x = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        x = (x ^ (x >>> 27)) * 0x94D049BB133111EBL;
        return x ^ (x >>> 31);
    }
}
