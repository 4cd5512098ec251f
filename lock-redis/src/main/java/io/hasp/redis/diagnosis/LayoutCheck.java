package io.hasp.redis.diagnosis;

import io.hasp.redis.inspect.ListCursor;
import io.hasp.redis.inspect.NamesPage;
import io.hasp.redis.inspect.ShownLocks;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LuaScript;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.RedisConnection.Command;
import io.hasp.spi.LockName;
import java.util.ArrayList;
import java.util.List;

/** Looks at some locks of a server: keys with other data can't be locked. */
final class LayoutCheck {
    private static final String CHECK = "layout";
    private static final LuaScript NAMES = LuaScript.load("inspect/names.lua");
    private static final LuaScript LOCKS = LuaScript.load("inspect/locks.lua");
    private static final LuaScript REDLOCKS = LuaScript.load("inspect/redlocks.lua");
    private static final int PAGES = 10;
    private static final int NAMED = 3;

    private LayoutCheck() {}

    static void run(RedisConnection server, LockKeys keys, boolean majority, Findings findings) {
        List<String> foreign = new ArrayList<>();
        int read = 0;
        ListCursor cursor = ListCursor.at(server.server());
        for (int i = 0; i < PAGES && (i == 0 || !cursor.ended()); i++) {
            NamesPage page = NamesPage.parse(
                    ask(server, NAMES, List.of(), NamesPage.request(keys, "", cursor)), server.server());
            for (LockName name : page.names()) {
                read++;
                ShownLocks shown =
                        ShownLocks.parse(ask(server, majority ? REDLOCKS : LOCKS, keys.shown(name), List.of("1", "1")));
                if (shown.entries().get(0) instanceof ShownLocks.Foreign other) {
                    foreign.add(other.text());
                }
            }
            cursor = page.next();
        }
        if (foreign.isEmpty()) {
            findings.ok(CHECK, read + " lock names were looked at; all have the layout of this version");
        } else {
            findings.warn(
                    CHECK,
                    foreign.size() + " of " + read + " keys hold other data, and locks of these names fail: "
                            + String.join("; ", foreign.subList(0, Math.min(NAMED, foreign.size())))
                            + ". Delete these keys, or choose another keyPrefix");
        }
    }

    private static String ask(RedisConnection server, LuaScript script, List<String> keys, List<String> arguments) {
        return server.evaluate(Command.EVAL, script.text(), keys, arguments)
                .toCompletableFuture()
                .join();
    }
}
