package io.hasp.redis.script;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The scripts as they are keep {@link MarkRules}; {@link MarkMutantsTest} has scripts that break them. */
class MarkScriptsTest extends ScriptFixture {
    @TestFactory
    Stream<DynamicTest> the_scripts_keep() {
        return Arrays.stream(MarkRules.class.getDeclaredMethods())
                .filter(rule -> !rule.isSynthetic()
                        && rule.getParameterCount() == 0
                        && rule.getName().contains("_"))
                .map(rule -> DynamicTest.dynamicTest(rule.getName(), () -> keep(rule)));
    }

    private static void keep(Method rule) throws Throwable {
        try (MarkRules rules = new MarkRules(server, LockScript::text)) {
            rule.invoke(rules);
        } catch (java.lang.reflect.InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
