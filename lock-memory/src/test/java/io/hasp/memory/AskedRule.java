package io.hasp.memory;

import io.hasp.conformance.rules.HaspConformance;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Applies one rule to the in-memory backend, with the classes of its own loader. */
final class AskedRule {
    private static final int TRIES = 5;

    private AskedRule() {}

    /**
     * Returns the finding of the rule after a control rule held; null for none. Some flaws show by chance, and on a busy machine the
     * rule may fail for another reason first. So the rule is repeated until its finding has the expected words.
     */
    static @Nullable Throwable broken(String rule, String words) throws Exception {
        HaspConformance rules = new MemoryConformanceTest();
        rules.ap2_zero_wait_on_a_free_lock_succeeds();
        Throwable found = null;
        for (int i = 0; i < TRIES && !says(found, words); i++) {
            Throwable next = once(rules, rule);
            found = next == null ? found : next;
        }
        return found;
    }

    private static boolean says(@Nullable Throwable found, String words) {
        return found != null && String.valueOf(found.getMessage()).contains(words);
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
