package io.hasp.redis.inspect;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.script.LockKeys;
import io.hasp.redis.script.LockScript;
import io.hasp.redis.script.RedisFailures;
import io.hasp.redis.server.RedisConnection;
import io.hasp.redis.server.ScriptRunner;
import io.hasp.redis.server.ServerReleases;
import io.hasp.spi.Inspector;
import io.hasp.spi.LockName;
import io.hasp.spi.Timing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Reads the locks of one server, or of the masters of a cluster one after the other. Thread-safe.
 *
 * <p>A page comes from {@code SCAN}, in short steps, and then from scripts that read some locks each. So other clients are served between
 * the steps. A list misses locks whose slot is moved to another master while it runs; it fails if a master is replaced.
 */
public record RedisInspector(
        RedisConnection connection, ScriptRunner scripts, LockKeys keys, ServerReleases releases, Timing timing)
        implements Inspector {
    /** The most waiters of one lock on a page. */
    static final int WAITERS_ON_A_PAGE = 10;
    /** The number of entries that one script reads on a page: about a quarter of a millisecond of the server's time. */
    static final int ENTRIES_OF_A_CALL = 100;

    @Override
    public CompletionStage<Page> list(String prefix, String cursor) {
        try {
            List<RedisConnection> servers = connection.servers();
            ListCursor from = ListCursor.parse(cursor);
            RedisConnection server = from.server().isEmpty() ? servers.get(0) : server(servers, from.server());
            return names(server, prefix, from)
                    .thenCompose(page -> contents(page.names(), WAITERS_ON_A_PAGE, ENTRIES_OF_A_CALL)
                            .thenApply(locks -> new Page(
                                    locks.stream()
                                            .filter(lock -> !page.isElsewhere(lock.name(), lock.holders()))
                                            .toList(),
                                    next(servers, server, page.next()))))
                    .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                            RedisFailures.of(server.server(), "the list of locks", failure)));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static RedisConnection server(List<RedisConnection> servers, String words) {
        return servers.stream()
                .filter(server -> server.server().equals(words))
                .findFirst()
                .orElseThrow(() -> NamesPage.anotherServer(words));
    }

    private CompletionStage<NamesPage> names(RedisConnection server, String prefix, ListCursor from) {
        return new ScriptRunner(server, timing)
                .run(LockScript.LIST_NAMES, List.of(), NamesPage.request(keys, prefix, from))
                .thenApply(reply -> NamesPage.parse(reply, server.server()));
    }

    private static String next(List<RedisConnection> servers, RedisConnection server, ListCursor behind) {
        if (!behind.ended()) {
            return behind.toString();
        }
        int following = servers.indexOf(server) + 1;
        return following == servers.size()
                ? ""
                : ListCursor.at(servers.get(following).server()).toString();
    }

    /** Reads the locks that are in use, in as few calls as the slots of a cluster allow. */
    private CompletionStage<List<Content>> contents(List<LockName> names, int waiters, int entries) {
        Collection<List<LockName>> groups = names.isEmpty()
                ? List.of()
                : names.stream()
                        .collect(Collectors.groupingBy(
                                name -> connection.callGroup(keys.lock(name)), LinkedHashMap::new, Collectors.toList()))
                        .values();
        CompletionStage<List<Content>> all = CompletableFuture.completedStage(new ArrayList<>());
        for (List<LockName> group : groups) {
            all = all.thenCompose(read -> read(group, waiters, entries, read));
        }
        return all;
    }

    private CompletionStage<List<Content>> read(
            List<LockName> group, int waiters, int entries, List<Content> contents) {
        return shown(group, waiters, entries).thenCompose(shown -> {
            int count = shown.entries().size();
            for (int i = 0; i < count; i++) {
                if (shown.entries().get(i) instanceof ShownLocks.Used used) {
                    contents.add(used.content(group.get(i), shown.readAt()));
                }
            }
            return count == group.size()
                    ? CompletableFuture.completedStage(contents)
                    : read(group.subList(count, group.size()), waiters, entries, contents);
        });
    }

    private CompletionStage<ShownLocks> shown(List<LockName> names, int waiters, int entries) {
        List<String> all =
                names.stream().flatMap(name -> keys.shown(name).stream()).toList();
        return scripts.run(LockScript.SHOW_LOCKS, all, List.of(Integer.toString(waiters), Integer.toString(entries)))
                .thenApply(ShownLocks::parse);
    }

    @Override
    public CompletionStage<Optional<Content>> find(LockName name) {
        return shown(List.of(name), MOST_WAITERS, 1)
                .thenApply(shown -> content(name, shown))
                .exceptionallyCompose(failure -> CompletableFuture.failedStage(
                        RedisFailures.of(connection.server(), "a look at '" + name + "'", failure)));
    }

    private static Optional<Content> content(LockName name, ShownLocks shown) {
        ShownLocks.Entry entry = shown.entries().get(0);
        if (entry instanceof ShownLocks.Foreign foreign) {
            throw new ErrorReplyException(foreign.text());
        }
        return entry instanceof ShownLocks.Used used
                ? Optional.of(used.content(name, shown.readAt()))
                : Optional.empty();
    }

    @Override
    public CompletionStage<Boolean> remove(LockName name, Holder holder) {
        return releases.remove(name, holder.id(), holder.token());
    }
}
