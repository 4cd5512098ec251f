package io.hasp.redis.script;

import static io.hasp.redis.script.ScriptClient.COUNTER;
import static io.hasp.redis.script.ScriptClient.LEASE;
import static io.hasp.redis.script.ScriptClient.LOCK;
import static io.hasp.redis.script.ScriptClient.tokenOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Ways to get the short path of a renewal and the life of the token counter wrong. Each breaks the rule meant for it. */
class RenewalMutantsTest extends ScriptFixture {
    private static final long COUNTER_OF_RENEWED = LEASE + 60_000 + 150_000;

    private interface Rule {
        void check(ScriptClient lua) throws IOException;
    }

    /** A line of the scripts, which must be in at least one, and what stands there instead. */
    private record Mutant(String name, String line, String instead, Rule rule) {}

    private static final List<Mutant> MUTANTS = List.of(
            new Mutant("a renewal shortens a lease", "lease, 'GT') == 1", "lease) == 1", RenewalMutantsTest::lengthens),
            new Mutant(
                    "a refused comparison counts as a renewal",
                    "lease, 'GT') == 1",
                    "lease, 'GT')",
                    RenewalMutantsTest::givesAnExpiry),
            new Mutant(
                    "a label is taken for the holder",
                    "find(value, mine, 1, true) == 1",
                    "find(value, mine, 1, true)",
                    RenewalMutantsTest::readsNoLabel),
            new Mutant(
                    "all leases of a call are taken for the first",
                    "if lease ~= known then",
                    "if not known then",
                    RenewalMutantsTest::renewsDifferentLeases),
            new Mutant(
                    "a lock with a mark takes the short path",
                    "and not find(value, '^', head, true) ",
                    "",
                    RenewalMutantsTest::renewsDifferentLeases),
            new Mutant(
                    "a counter is left alone that lasts as long as it must",
                    "left >= ttl + MEMORY + SPARE / 2 then",
                    "left >= ttl + MEMORY then",
                    RenewalMutantsTest::spares),
            new Mutant(
                    "a counter gets no spare time",
                    "text(ttl + MEMORY + SPARE + math.max",
                    "text(ttl + MEMORY + math.max",
                    RenewalMutantsTest::spares),
            new Mutant(
                    "a late request takes the spare time away",
                    "text(math.max(memory(ttl, last), redis.call('PTTL', COUNTER)))",
                    "memory(ttl, last)",
                    RenewalMutantsTest::sparesAfterALateRequest),
            new Mutant(
                    "the microseconds of a token lose their zeros",
                    "string.sub('00000' .. time[2], -6)",
                    "time[2]",
                    RenewalMutantsTest::followsTheClock));

    private static void lengthens(ScriptClient lua) throws IOException {
        lua.granted("a");
        assertThat(lua.renew("a", 2 * LEASE)).isEqualTo("1");
        assertThat(lua.renew("a", LEASE)).isEqualTo("1");
        assertThat(lua.ttl(LOCK)).isBetween(LEASE + 1, 2 * LEASE);
    }

    private static void givesAnExpiry(ScriptClient lua) throws IOException {
        lua.granted("a");
        lua.command("PERSIST", LOCK);
        lua.command("PERSIST", COUNTER);
        assertThat(lua.renew("a", LEASE)).isEqualTo("1");
        assertThat(lua.ttl(LOCK)).isBetween(1L, LEASE);
        assertThat(lua.ttl(COUNTER)).isBetween(LEASE, 2 * COUNTER_OF_RENEWED);
    }

    private static void readsNoLabel(ScriptClient lua) throws IOException {
        put(lua, LOCK, "1|a|H|5|1|b|H|7|label");
        assertThat(lua.renew("b", 2 * LEASE)).isEqualTo("0");
        assertThat(lua.ttl(LOCK)).isBetween(1L, LEASE);
    }

    private static void renewsDifferentLeases(ScriptClient lua) throws IOException {
        List<String> locks = List.of("hasp:{1}", "hasp:{2}", "hasp:{3}", "hasp:{4}");
        for (String lock : locks) {
            put(lua, lock, "1|a|H|5|^channel^label");
        }
        put(lua, "hasp:{4}", "1|a|H|5|label");
        List<String> leases = List.of("a", "60000", "a", "60000^", "a", "90000", "a", "120000^");
        assertThat(lua.run(LockScript.RENEW, locks, leases)).isEqualTo("1111");
        for (int i = 0; i < locks.size(); i++) {
            String lease = leases.get(2 * i + 1);
            long most = Long.parseLong(lease.replace("^", ""));
            assertThat(lua.ttl(locks.get(i))).as(lease).isBetween(most - 10_000, most);
            assertThat(lua.text("GET", locks.get(i)))
                    .as(lease)
                    .isEqualTo(lease.equals("60000^") ? "1|a|H|5|^channel^label" : "1|a|H|5|label");
        }
    }

    private static void spares(ScriptClient lua) throws IOException {
        lua.granted("a");
        lua.renew("a", LEASE);
        assertThat(lua.ttl(COUNTER)).isGreaterThanOrEqualTo(COUNTER_OF_RENEWED);
        lua.command("PEXPIRE", COUNTER, Long.toString(COUNTER_OF_RENEWED - 5_000));
        lua.renew("a", LEASE);
        assertThat(lua.ttl(COUNTER)).isGreaterThanOrEqualTo(COUNTER_OF_RENEWED);
    }

    private static void sparesAfterALateRequest(ScriptClient lua) throws IOException {
        lua.granted("a");
        lua.renew("a", LEASE);
        tokenOf(lua.acquire("a"));
        assertThat(lua.ttl(COUNTER)).isGreaterThanOrEqualTo(COUNTER_OF_RENEWED);
    }

    /** A clock whose microseconds have fewer than six digits. */
    private static void followsTheClock(ScriptClient lua) throws IOException {
        long before;
        do {
            before = lua.micros();
        } while (before % 1_000_000 > 50_000);
        assertThat(lua.granted("a")).isGreaterThan(before);
    }

    private static void put(ScriptClient lua, String lock, String value) throws IOException {
        lua.command("SET", lock, value, "PX", Long.toString(LEASE));
    }

    @TestFactory
    Stream<DynamicTest> each_rule_holds() {
        return holds(LockScript::text);
    }

    @TestFactory
    Stream<DynamicTest> each_rule_holds_on_a_server_that_does_not_compare_expiries() {
        return holds(changed(LockScript::text, "redis.REDIS_VERSION_NUM and redis", "false and redis"));
    }

    private static Stream<DynamicTest> holds(Function<LockScript, String> texts) {
        return MUTANTS.stream()
                .map(mutant -> DynamicTest.dynamicTest("not so: " + mutant.name(), () -> check(mutant.rule(), texts)));
    }

    @TestFactory
    Stream<DynamicTest> each_is_found() {
        return MUTANTS.stream()
                .map(mutant -> DynamicTest.dynamicTest(mutant.name(), () -> {
                    Function<LockScript, String> planted = changed(LockScript::text, mutant.line(), mutant.instead());
                    assertThatThrownBy(() -> check(mutant.rule(), planted))
                            .as(mutant.name())
                            .satisfies(failure -> assertThat(failure.toString()).doesNotContain("compiling"));
                }));
    }

    private static void check(Rule rule, Function<LockScript, String> texts) throws IOException {
        try (ScriptClient lua = new ScriptClient(server, texts)) {
            rule.check(lua);
        }
    }
}
