package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.zookeeper.layout.NodeOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.junit.jupiter.api.Test;

/**
 * The children that events show, against a folder with random histories: other clients, nodes that this client may not read, foreign nodes,
 * removed and recreated folders, lost connections. Whenever the events decide a node's place, the nodes before it are those of the folder as
 * of the latest event.
 */
class FolderWatchTest {
    private static final String FOLDER = "/hasp/l";
    private static final int SEEDS = 3_000;
    private static final int STEPS = 150;

    @Test
    void me2_the_nodes_before_a_node_are_those_of_the_folder() {
        int decisions = 0;
        int firsts = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History history = new History(seed);
            for (int step = 0; step < STEPS; step++) {
                history.step();
            }
            history.deliverAll();
            decisions += history.decisions;
            firsts += history.firsts;
        }
        assertThat(decisions).isGreaterThan(SEEDS * 10);
        assertThat(firsts).isGreaterThan(SEEDS);
    }

    @Test
    void a_node_is_decided_by_events_once_those_before_it_were_created_under_the_watch() {
        FolderWatch watch = known(List.of("x-a-0000000000"), 1);
        event(watch, EventType.NodeCreated, "x-b-0000000001");
        event(watch, EventType.NodeCreated, "x-c-0000000002");

        assertThat(watch.decidingFor("x-c-0000000002"))
                .as("no event will report the end of a")
                .isNull();
        event(watch, EventType.NodeDeleted, "x-a-0000000000");
        assertThat(watch.decidingFor("x-c-0000000002")).containsExactly("x-b-0000000001", "x-c-0000000002");
    }

    @Test
    void me2_a_gap_in_the_numbers_makes_the_children_unknown() {
        FolderWatch watch = known(List.of(), 0);
        event(watch, EventType.NodeCreated, "x-b-0000000001");

        assertThat(watch.decidingFor("x-b-0000000001")).isNull();
    }

    @Test
    void me2_a_listing_from_an_earlier_connection_shows_nothing() {
        FolderWatch watch = known(List.of(), 0);
        int before = watch.connection();
        watch.process(new WatchedEvent(EventType.None, KeeperState.Disconnected, null));
        watch.listed(before, listing(List.of("x-a-0000000000"), 1), 0);

        assertThat(watch.decidingFor("x-a-0000000000")).isNull();
    }

    @Test
    void me2_a_listing_that_was_sent_before_the_watch_shows_nothing() {
        FolderWatch watch = new FolderWatch(FOLDER, 0);
        int before = watch.connection();
        watch.asked();
        watch.set();
        watch.listed(before, listing(List.of("x-a-0000000000"), 1), 0);

        assertThat(watch.decidingFor("x-a-0000000000")).isNull();
    }

    /** Its waiter would attempt while the attempt that began the wait is running. */
    @Test
    void a_watch_that_ends_without_waiters_takes_none() {
        FolderWatch watch = known(List.of(), 0);
        event(watch, EventType.NodeCreated, "x-a-0000000000");
        event(watch, EventType.NodeCreated, "x-b-0000000001");

        assertThat(watch.endIfUseless(1)).isTrue();

        assertThat(watch.follow("x-b-0000000001", () -> {})).isFalse();
    }

    @Test
    void a_watch_with_a_waiter_does_not_end() {
        FolderWatch watch = known(List.of(), 0);
        event(watch, EventType.NodeCreated, "x-a-0000000000");
        event(watch, EventType.NodeCreated, "x-b-0000000001");
        assertThat(watch.follow("x-b-0000000001", () -> {})).isTrue();

        assertThat(watch.endIfUseless(1)).isFalse();

        assertThat(watch.decidingFor("x-b-0000000001")).isNotNull();
    }

    private static FolderWatch known(List<String> children, long created) {
        FolderWatch watch = new FolderWatch(FOLDER, 0);
        watch.asked();
        watch.set();
        watch.listed(watch.connection(), listing(children, created), 0);
        return watch;
    }

    private static void event(FolderWatch watch, EventType type, String child) {
        watch.process(new WatchedEvent(type, KeeperState.SyncConnected, FOLDER + "/" + child));
    }

    private static RequestResult<FolderListing> listing(List<String> children, long created) {
        return RequestResult.of(Code.OK.intValue(), new FolderListing(children, 0, created));
    }

    /** A folder, its server, and one client of it, which receives events and answers late but in order. */
    private static final class History {
        private record Item(Runnable news, Set<String> children) {}

        private final Random random;
        private final FolderWatch watch = new FolderWatch(FOLDER, 0);
        private final Map<String, Boolean> readable = new LinkedHashMap<>();
        private final Deque<Item> stream = new ArrayDeque<>();
        private final List<Runnable> unsent = new ArrayList<>();
        private final Set<String> own = new HashSet<>();
        private long created;
        private int names;
        private boolean connected = true;
        private boolean watching;
        private boolean asked;
        int decisions;
        int firsts;

        History(long seed) {
            random = new Random(seed);
        }

        void step() {
            switch (random.nextInt(24)) {
                case 0, 1, 2, 3 -> create("x-o", true);
                case 4 -> createRarely();
                case 5, 6, 7, 8 -> send(this::createOwn);
                case 9, 10, 11, 12, 13, 14, 15 -> deleteOne();
                case 16, 17, 18 -> list();
                case 19 -> changeConnection();
                case 20 -> removeFolder();
                case 21 -> addWatch();
                default -> deliver(random.nextInt(6));
            }
            deliver(random.nextInt(3));
        }

        private void createRarely() {
            switch (random.nextInt(4)) {
                case 0 -> create("x-d", false);
                case 1 -> create("floor-", true);
                case 2 -> created(random.nextBoolean() ? "foreign" + ++names : "probe" + ++names, true);
                default -> {
                    create("x-o", true);
                    create("x-o", true);
                }
            }
        }

        private String create(String prefix, boolean mayRead) {
            String name = "%s%d-%010d".formatted(prefix, ++names, created);
            created(name, mayRead);
            return name;
        }

        private void created(String name, boolean mayRead) {
            readable.put(name, mayRead);
            created++;
            if (mayRead) {
                push(EventType.NodeCreated, "/" + name);
            }
        }

        private void createOwn() {
            String name = create("x-m", true);
            answer(() -> own.add(name));
        }

        private void deleteOne() {
            if (!readable.isEmpty()) {
                List<String> all = List.copyOf(readable.keySet());
                delete(all.get(random.nextBoolean() ? 0 : random.nextInt(all.size())));
            }
        }

        private void delete(String name) {
            if (Boolean.TRUE.equals(readable.remove(name))) {
                push(EventType.NodeDeleted, "/" + name);
            }
        }

        private void removeFolder() {
            if (random.nextInt(3) > 0) {
                return;
            }
            List.copyOf(readable.keySet()).forEach(this::delete);
            push(EventType.NodeDeleted, "");
            created = 0;
            if (random.nextBoolean()) {
                push(EventType.NodeCreated, "");
            }
        }

        /** Requests wait for a connection; the client marks them when they are sent. */
        private void send(Runnable request) {
            if (connected) {
                request.run();
            } else {
                unsent.add(request);
            }
        }

        private void list() {
            int sentOn = watch.connection();
            send(() -> {
                RequestResult<FolderListing> answer = listing(List.copyOf(readable.keySet()), created);
                answer(() -> watch.listed(sentOn, answer, 0));
            });
        }

        private void addWatch() {
            if (asked || !connected) {
                return;
            }
            asked = true;
            watching = true;
            watch.asked();
            answer(watch::set);
            deliverAll();
        }

        private void changeConnection() {
            if (connected) {
                connected = false;
                stream.clear();
                news(() -> connection(KeeperState.Disconnected));
            } else {
                connected = true;
                news(() -> connection(KeeperState.SyncConnected));
                List.copyOf(unsent).forEach(Runnable::run);
                unsent.clear();
            }
        }

        private void connection(KeeperState now) {
            if (asked) {
                watch.process(new WatchedEvent(EventType.None, now, null));
            }
        }

        private void push(EventType type, String below) {
            if (connected && watching) {
                news(() -> watch.process(new WatchedEvent(type, KeeperState.SyncConnected, FOLDER + below)));
            }
        }

        private void answer(Runnable answer) {
            news(answer);
        }

        private void news(Runnable news) {
            stream.add(new Item(news, new TreeSet<>(readable.keySet())));
        }

        void deliverAll() {
            deliver(stream.size());
        }

        private void deliver(int count) {
            for (int i = 0; i < count && !stream.isEmpty(); i++) {
                Item item = stream.remove();
                item.news.run();
                own.forEach(mine -> check(mine, item.children));
            }
        }

        private void check(String mine, Set<String> folder) {
            List<String> shown = watch.decidingFor(mine);
            if (shown == null) {
                return;
            }
            decisions++;
            assertThat(folder).contains(mine);
            assertThat(before(mine, shown)).isEqualTo(before(mine, folder));
            if (NodeOrder.position(shown, mine) instanceof NodeOrder.Position.First) {
                firsts++;
                assertThat(before(mine, folder)).isEmpty();
            }
        }

        private static Set<String> before(String mine, Iterable<String> children) {
            Set<String> before = new TreeSet<>();
            for (String child : children) {
                long number = NodeOrder.sequence(child);
                if (number >= 0 && number < NodeOrder.sequence(mine)) {
                    before.add(child);
                }
            }
            return before;
        }
    }
}
