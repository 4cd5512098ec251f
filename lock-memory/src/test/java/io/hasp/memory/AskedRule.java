package io.hasp.memory;

import io.hasp.conformance.rules.HaspConformance;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Applies one rule to the in-memory backend, with the classes of its own loader. */
final class AskedRule {
    private static final int TRIES = 3;

    private AskedRule() {}

    /**
     * Returns the finding of the rule after a control rule held; null for none, three times: some flaws show by chance.
     */
    static @Nullable Throwable broken(String rule) throws Exception {
        HaspConformance rules = new MemoryConformanceTest();
        rules.ap2_zero_wait_on_a_free_lock_succeeds();
        Throwable found = null;
        for (int i = 0; i < TRIES && found == null; i++) {
            found = once(rules, rule);
        }
        return found;
    }

    private static @Nullable Throwable once(HaspConformance rules, String rule) throws Exception {
        try {
            HaspConformance.class.getMethod(rule).invoke(rules);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }
}
