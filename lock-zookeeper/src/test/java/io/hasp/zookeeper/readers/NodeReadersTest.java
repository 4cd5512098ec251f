package io.hasp.zookeeper.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.HolderId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All orders of what may happen to the readers of one node: three readers ask, join, are turned away, give up and leave. */
@InTier(Tier.STANDARD)
class NodeReadersTest {
    private static final int READERS = 3;
    private static final int LONGEST = 9;

    private enum Event {
        ASK_0(0),
        ASK_1(1),
        ASK_2(2),
        LEAVE_0(0),
        LEAVE_1(1),
        LEAVE_2(2),
        CREATED(READERS),
        LIST(READERS),
        ONLY_READERS(READERS),
        FAILED(READERS),
        CLOSE(READERS);

        private final int reader;

        Event(int reader) {
            this.reader = reader;
        }
    }

    @Test
    void in_every_order_a_reader_joins_after_its_own_listing_and_has_one_outcome() {
        int runs = explore(new ArrayList<>());

        assertThat(runs).isGreaterThan(100_000);
    }

    @Test
    void the_answer_to_an_earlier_listing_lets_nobody_in() {
        NodeReaders<Integer> readers = new NodeReaders<>();
        readers.send();
        readers.nodePresent();
        readers.ask(Run.id(0), 0);
        int earlier = readers.startListing();
        assertThat(readers.listingFailed(earlier)).containsExactly(0);
        readers.ask(Run.id(1), 1);
        int later = readers.startListing();

        assertThat(readers.listedOnlyReaders(earlier)).isEmpty();
        assertThat(readers.listingFailed(earlier)).isEmpty();

        assertThat(readers.listedOnlyReaders(later)).containsExactly(1);
        assertThat(readers.listedOnlyReaders(later)).as("again").isEmpty();
    }

    @Test
    void a_reader_that_asks_again_keeps_its_place_with_its_latest_request() {
        NodeReaders<String> readers = new NodeReaders<>();
        readers.ask(Run.id(0), "founder");
        assertThat(readers.again(Run.id(0), "founder again")).isEqualTo("founder");
        assertThat(readers.awaitsOthers(Run.id(0)))
                .as("the creation is not sent")
                .isTrue();
        assertThat(readers.send()).containsExactly("founder again");
        assertThat(readers.awaitsOthers(Run.id(0))).isFalse();
        readers.nodePresent();
        readers.ask(Run.id(1), "listed");
        int listing = readers.startListing();
        readers.ask(Run.id(2), "asks");

        assertThat(readers.again(Run.id(1), "listed again")).isEqualTo("listed");
        assertThat(readers.again(Run.id(2), "asks again")).isEqualTo("asks");
        assertThat(readers.again(Run.id(3), "nobody")).isNull();

        assertThat(readers.awaitsOthers(Run.id(1))).isTrue();
        assertThat(readers.listedOnlyReaders(listing)).containsExactly("listed again");
        assertThat(readers.close()).containsExactly("asks again");
    }

    /** Depth first; each sequence is run from the beginning, and one whose last event can't happen is not prolonged. */
    private static int explore(List<Event> events) {
        int runs = 1;
        for (Event next : events.size() == LONGEST ? new Event[0] : Event.values()) {
            events.add(next);
            if (new Run().happens(events)) {
                runs += explore(events);
            }
            events.remove(events.size() - 1);
        }
        return runs;
    }

    /** One run, with what a reader of this test would note about it. */
    private static final class Run {
        private enum Stage {
            ASKS,
            LISTED,
            JOINED,
            OVER
        }

        private final NodeReaders<Integer> readers = new NodeReaders<>();
        private final Map<Integer, Stage> stages = new HashMap<>();
        private boolean created;
        private boolean listing;
        private boolean closed;
        private boolean ended;
        private int listings;

        Run() {
            readers.ask(id(READERS), READERS);
            assertThat(readers.send()).containsExactly(READERS);
            stages.put(READERS, Stage.JOINED);
        }

        boolean happens(List<Event> events) {
            boolean happened = true;
            for (Event event : events) {
                happened = happens(event);
                ended = readers.closeIfUnused();
                closed |= ended;
            }
            check(events);
            return happened;
        }

        private boolean happens(Event event) {
            return switch (event) {
                case ASK_0, ASK_1, ASK_2 -> ask(event.reader);
                case LEAVE_0, LEAVE_1, LEAVE_2 -> leave(event.reader);
                case CREATED -> created();
                case LIST -> list();
                case ONLY_READERS -> listing && onlyReaders();
                case FAILED -> listing && failed();
                case CLOSE -> !closed && close();
            };
        }

        /** The founder leaves with the first reader, so that a node without members is reached early. */
        private boolean leave(int reader) {
            boolean joined = stages.get(reader) == Stage.JOINED;
            assertThat(readers.hasJoined(id(reader))).isEqualTo(joined);
            boolean waited = stages.get(reader) == Stage.ASKS || stages.get(reader) == Stage.LISTED;
            assertThat(readers.leave(id(reader)) != null).isEqualTo(joined || waited);
            boolean founderLeft = readers.leave(id(READERS)) != null;
            stages.put(READERS, Stage.OVER);
            if (stages.containsKey(reader)) {
                stages.put(reader, Stage.OVER);
            }
            return joined || waited || founderLeft;
        }

        private boolean ask(int reader) {
            if (stages.containsKey(reader)) {
                return false;
            }
            boolean taken = readers.ask(id(reader), reader);
            assertThat(taken).isNotEqualTo(closed);
            stages.put(reader, taken ? Stage.ASKS : Stage.OVER);
            return true;
        }

        private boolean created() {
            boolean first = !created;
            created = true;
            readers.nodePresent();
            return first;
        }

        private boolean list() {
            boolean expected = created && !listing && !closed && stages.containsValue(Stage.ASKS);
            assertThat(readers.startListing() != 0).isEqualTo(expected);
            listings += expected ? 1 : 0;
            if (expected) {
                listing = true;
                stages.replaceAll((reader, stage) -> stage == Stage.ASKS ? Stage.LISTED : stage);
            }
            return expected;
        }

        private boolean onlyReaders() {
            assertThat(readers.listedOnlyReaders(listings)).containsExactlyInAnyOrderElementsOf(at(Stage.LISTED));
            stages.replaceAll((reader, stage) -> stage == Stage.LISTED ? Stage.JOINED : stage);
            listing = false;
            return true;
        }

        private boolean failed() {
            assertThat(readers.listingFailed(listings)).containsExactlyInAnyOrderElementsOf(at(Stage.LISTED));
            stages.replaceAll((reader, stage) -> stage == Stage.LISTED ? Stage.OVER : stage);
            listing = false;
            return true;
        }

        private boolean close() {
            Set<Integer> turnedAway = at(Stage.ASKS);
            turnedAway.addAll(at(Stage.LISTED));
            assertThat(readers.close()).containsExactlyInAnyOrderElementsOf(turnedAway);
            stages.replaceAll((reader, stage) -> turnedAway.contains(reader) ? Stage.OVER : stage);
            closed = true;
            return true;
        }

        private Set<Integer> at(Stage wanted) {
            Set<Integer> found = new LinkedHashSet<>();
            stages.forEach((reader, stage) -> {
                if (stage == wanted) {
                    found.add(reader);
                }
            });
            return found;
        }

        /** Of what all of these events led to: a run with fewer of them has checked the rest. */
        private void check(List<Event> events) {
            assertThat(readers.joined()).as("%s", events).containsExactlyInAnyOrderElementsOf(at(Stage.JOINED));
            boolean used = stages.values().stream().anyMatch(stage -> stage != Stage.OVER);
            assertThat(ended).as("%s", events).isEqualTo(!used);
            assertThat(readers.closed()).as("%s", events).isEqualTo(closed);
        }

        private static HolderId id(int reader) {
            return new HolderId("r" + reader);
        }
    }
}
