package io.hasp.zookeeper.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.zookeeper.ReadersWorld;
import io.hasp.zookeeper.ScriptedHandles;
import io.hasp.zookeeper.WorldReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Orders of events at the readers of a client: calls, repeated calls, timeouts, releases, answers and losses of each request, writers
 * that come, go and become readers, floors, deleted nodes, ended sessions. {@link ReadersWorld} checks each grant. In the end each reader
 * was answered, each waiter is notified when it may enter, and nothing is left.
 */
@InTier(Tier.STANDARD)
class ReadNodeOrdersTest {
    private static final long SEED = Long.getLong("hasp.seed", 1);
    private static final int LONGEST = Tier.count(4, 7);
    private static final int RANDOM_RUNS = Tier.count(20_000, 1_000_000);
    private static final int RANDOM_LENGTH = 40;

    @RegisterExtension
    static final ScriptedHandles HANDLES = new ScriptedHandles(3);

    private enum Event {
        FIRST_CALLS,
        SECOND_CALLS,
        THIRD_TRIES,
        SECOND_CALLS_AGAIN,
        SECOND_TIMES_OUT,
        FIRST_LEAVES,
        SECOND_LEAVES,
        THIRD_LEAVES,
        SERVED,
        DELIVERED,
        REQUEST_LOST,
        ANSWER_LOST,
        CAUGHT_UP,
        WRITER_COMES,
        WRITER_GOES,
        WRITER_BECOMES_READER,
        NODE_DELETED,
        FLOOR_RAISED,
        SESSION_ENDS
    }

    @Test
    void every_order_from_the_beginning() {
        assertThat(explore(List.of())).isGreaterThan(1000);
    }

    @Test
    void every_order_while_a_reader_holds() {
        assertThat(explore(List.of(Event.FIRST_CALLS, Event.SERVED, Event.SERVED, Event.DELIVERED, Event.DELIVERED)))
                .isGreaterThan(1000);
    }

    @Test
    void every_order_while_a_second_reader_asks() {
        assertThat(explore(List.of(
                        Event.FIRST_CALLS,
                        Event.SERVED,
                        Event.SERVED,
                        Event.DELIVERED,
                        Event.DELIVERED,
                        Event.SECOND_CALLS)))
                .isGreaterThan(1000);
    }

    @Test
    void every_order_while_a_second_reader_asks_behind_a_writer_for_a_node_that_the_first_left() {
        assertThat(explore(List.of(
                        Event.FIRST_CALLS,
                        Event.SERVED,
                        Event.SERVED,
                        Event.DELIVERED,
                        Event.DELIVERED,
                        Event.WRITER_COMES,
                        Event.SECOND_CALLS,
                        Event.FIRST_LEAVES,
                        Event.SERVED,
                        Event.SERVED,
                        Event.DELIVERED,
                        Event.DELIVERED)))
                .isGreaterThan(1000);
    }

    @Test
    void every_order_while_two_readers_wait() {
        assertThat(explore(List.of(
                        Event.WRITER_COMES,
                        Event.FIRST_CALLS,
                        Event.SECOND_CALLS,
                        Event.SERVED,
                        Event.SERVED,
                        Event.DELIVERED,
                        Event.DELIVERED,
                        Event.SERVED,
                        Event.SERVED,
                        Event.SERVED,
                        Event.SERVED,
                        Event.DELIVERED,
                        Event.DELIVERED,
                        Event.DELIVERED,
                        Event.DELIVERED,
                        Event.SERVED,
                        Event.DELIVERED)))
                .isGreaterThan(1000);
    }

    @Test
    void random_orders() {
        SplittableRandom random = new SplittableRandom(SEED);
        Event[] all = Event.values();
        for (int run = 0; run < RANDOM_RUNS; run++) {
            List<Event> events = new ArrayList<>();
            Run world = new Run();
            for (int i = 0; i < RANDOM_LENGTH; i++) {
                Event next = random.nextInt(2) == 0
                        ? random.nextBoolean() ? Event.SERVED : Event.DELIVERED
                        : all[random.nextInt(all.length)];
                events.add(next);
                checked(events, () -> {
                    world.happens(next);
                    world.world.check();
                });
            }
            checked(events, world::end);
        }
    }

    /** Depth first; each sequence is run from the beginning, and one whose last event can't happen is not prolonged. */
    private static int explore(List<Event> beginning) {
        return explore(new ArrayList<>(beginning), beginning.size() + LONGEST);
    }

    private static int explore(List<Event> events, int longest) {
        int runs = 1;
        for (Event next : events.size() == longest ? new Event[0] : Event.values()) {
            events.add(next);
            Run run = new Run();
            boolean[] happened = {true};
            checked(events, () -> {
                for (Event event : events) {
                    happened[0] = run.happens(event);
                }
                run.world.check();
                if (happened[0]) {
                    run.end();
                }
            });
            if (happened[0]) {
                runs += explore(events, longest);
            }
            events.remove(events.size() - 1);
        }
        return runs;
    }

    private static void checked(List<Event> events, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error failure) {
            throw new AssertionError("after " + events + " with -Dhasp.seed=" + SEED + ": " + failure, failure);
        }
    }

    /** One run. */
    private static final class Run {
        private final ReadersWorld world = new ReadersWorld(HANDLES.all());
        private final List<WorldReader> readers = new ArrayList<>();

        Run() {
            readers.add(world.reader(true));
            readers.add(world.reader(true));
            readers.add(world.reader(false));
        }

        boolean happens(Event event) {
            return switch (event) {
                case FIRST_CALLS -> call(0);
                case SECOND_CALLS -> call(1);
                case THIRD_TRIES -> call(2);
                case SECOND_CALLS_AGAIN -> callAgain(1);
                case SECOND_TIMES_OUT -> timeOut(1);
                case FIRST_LEAVES -> leave(0);
                case SECOND_LEAVES -> leave(1);
                case THIRD_LEAVES -> leave(2);
                case SERVED -> world.handle.serve();
                case DELIVERED -> world.handle.deliver();
                case REQUEST_LOST -> world.handle.lose(false);
                case ANSWER_LOST -> world.handle.lose(true);
                case CAUGHT_UP -> world.handle.catchUp();
                case WRITER_COMES -> world.writerComes();
                case WRITER_GOES -> world.writerGoes();
                case WRITER_BECOMES_READER -> world.writerLowers();
                case NODE_DELETED -> world.administratorDeletes();
                case FLOOR_RAISED -> world.raiseFloor();
                case SESSION_ENDS -> world.expire();
            };
        }

        /** Acts like the engine: a waiter asks after a signal, and a reader that is over returns under another id. */
        private boolean call(int index) {
            WorldReader reader = readers.get(index);
            if (!reader.calls.isEmpty()) {
                if (!reader.isOver()) {
                    return false;
                }
                reader = world.reader(reader.claim.queue());
                readers.set(index, reader);
            }
            reader.call();
            return true;
        }

        private boolean callAgain(int index) {
            WorldReader reader = readers.get(index);
            if (reader.calls.isEmpty() || reader.calls.size() > 3 || reader.isReleased()) {
                return false;
            }
            reader.call();
            return true;
        }

        /** The command timeout ends its calls; what was sent goes on. */
        private boolean timeOut(int index) {
            WorldReader reader = readers.get(index);
            if (reader.answered()) {
                return false;
            }
            reader.timesOut();
            return true;
        }

        private boolean leave(int index) {
            WorldReader reader = readers.get(index);
            if (reader.calls.isEmpty() || reader.isReleased()) {
                return false;
            }
            reader.release();
            return true;
        }

        /** Without further faults: the writers go, and each waiting reader enters. */
        void end() {
            world.settle();
            while (world.writerGoes()) {
                world.settle();
            }
            world.heartbeat();
            for (WorldReader reader : readers) {
                assertThat(reader.answered()).as("%s is answered", reader).isTrue();
                assertThat(reader.waits()).as("%s is told", reader).isFalse();
                enter(reader);
            }
            world.releaseAll();
            assertThat(world.ownNodes()).as("nodes left").isEmpty();
            assertThat(world.nothingIsKept()).as("memory").isTrue();
        }

        private void enter(WorldReader reader) {
            if (reader.isBusy() && !reader.isReleased() && reader.claim.queue()) {
                reader.call();
                world.settle();
                assertThat(reader.isBusy()).as("%s enters", reader).isFalse();
            }
        }
    }
}
