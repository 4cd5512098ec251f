package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.Tier;
import io.hasp.spi.Claim;
import io.hasp.spi.HolderId;
import io.hasp.spi.LockName;
import io.hasp.spi.Released;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.recipe.EntryResult;
import io.hasp.zookeeper.recipe.LockFolder;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.recipe.NodeLowering;
import io.hasp.zookeeper.session.CreatedNode;
import io.hasp.zookeeper.session.Session;
import io.hasp.zookeeper.session.SessionClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random orders of events at a shared lock whose holders have a node each: nodes of this client and of
 * others come, go, give back a part and are deleted; requests and answers are served, lag and are lost. Each client that has its share
 * has room for it on the server, each waiter is notified when it may enter, and nothing is left in the end.
 */
class SharedNodeOrdersTest {
    private static final long SEED = Long.getLong("hasp.seed", 1);
    private static final int RUNS = Tier.count(4_000, 300_000);
    private static final int LENGTH = 40;
    private static final int OWN = 3;
    private static final int FOREIGN = 99;
    private static final LockFolder FOLDER = LockFolder.of(ZooKeeperLocks.DEFAULT_ROOT, new LockName("shared"));
    private static final long STARTED = System.nanoTime();

    @RegisterExtension
    static final ScriptedHandles HANDLES = new ScriptedHandles(1);

    private enum Event {
        CALLS,
        LEAVES,
        GIVES_BACK,
        SERVED,
        DELIVERED,
        REQUEST_LOST,
        ANSWER_LOST,
        CAUGHT_UP,
        OTHER_COMES,
        OTHER_GOES,
        OTHER_GIVES_BACK,
        NODE_DELETED
    }

    @Test
    void permits_in_random_orders() {
        randomOrders(List.of(new Share(1, 3), new Share(2, 3), new Share(3, 3)));
    }

    @Test
    void readers_and_writers_in_random_orders() {
        randomOrders(List.of(Share.READ, Share.WRITE));
    }

    private static void randomOrders(List<Share> shares) {
        SplittableRandom random = new SplittableRandom(SEED);
        Event[] all = Event.values();
        for (int run = 0; run < RUNS; run++) {
            List<String> happened = new ArrayList<>();
            World world = new World(shares, random);
            try {
                for (int i = 0; i < LENGTH; i++) {
                    Event next = random.nextInt(2) == 0
                            ? random.nextBoolean() ? Event.SERVED : Event.DELIVERED
                            : all[random.nextInt(all.length)];
                    happened.add(world.happens(next));
                    world.check();
                }
                happened.add("the end");
                world.end();
            } catch (RuntimeException | Error failure) {
                throw new AssertionError(
                        "after " + happened + " with -Dhasp.seed=" + SEED + ": " + failure + " at "
                                + world.folder.names(),
                        failure);
            }
        }
    }

    /** One client's session, and the folder as others see it. */
    private static final class World {
        private final List<Share> shares;
        private final SplittableRandom random;
        private final ScriptedFolder folder = new ScriptedFolder();
        private final Session session;
        private final Contender[] contenders = new Contender[OWN];
        private int holders;

        World(List<Share> shares, SplittableRandom random) {
            this.shares = shares;
            this.random = random;
            HANDLES.first().begin(folder);
            session = new Session(
                    HANDLES.first(), ZooDefs.Ids.OPEN_ACL_UNSAFE, new SessionClock(), OptionalLong.of(STARTED));
            HANDLES.first().connectionWatcher(session.watcher());
        }

        String happens(Event event) {
            int index = random.nextInt(OWN);
            boolean done = switch (event) {
                case CALLS -> call(index);
                case LEAVES -> leave(index);
                case GIVES_BACK -> giveBack(index);
                case SERVED -> HANDLES.first().serve();
                case DELIVERED -> HANDLES.first().deliver();
                case REQUEST_LOST -> HANDLES.first().lose(false);
                case ANSWER_LOST -> HANDLES.first().lose(true);
                case CAUGHT_UP -> HANDLES.first().catchUp();
                case OTHER_COMES -> otherComes();
                case OTHER_GOES -> otherGoes();
                case OTHER_GIVES_BACK -> otherGivesBack();
                case NODE_DELETED -> nodeDeleted();
            };
            return event + (done ? " " + index : " (nothing)");
        }

        private Share anyShare() {
            return shares.get(random.nextInt(shares.size()));
        }

        private boolean call(int index) {
            Contender contender = contenders[index];
            if (contender == null || contender.over()) {
                contender = new Contender(this, new HolderId("own-" + ++holders), anyShare());
                contenders[index] = contender;
            }
            return contender.call();
        }

        private boolean leave(int index) {
            Contender contender = contenders[index];
            return contender != null && contender.leave();
        }

        private boolean giveBack(int index) {
            Contender contender = contenders[index];
            return contender != null && contender.giveBack();
        }

        private boolean otherComes() {
            folder.create(NodeName.prefix(new HolderId("other"), anyShare(), false), FOREIGN);
            return true;
        }

        private List<String> others() {
            return folder.names().stream()
                    .filter(name -> requireNonNull(folder.now().get(name)).owner() == FOREIGN)
                    .toList();
        }

        private boolean otherGoes() {
            List<String> others = others();
            return !others.isEmpty() && folder.delete(others.get(random.nextInt(others.size())));
        }

        /** The first one has its share. */
        private boolean otherGivesBack() {
            String first = folder.names().stream()
                    .min((one, two) -> Long.compare(NodeOrder.sequence(one), NodeOrder.sequence(two)))
                    .orElse("");
            NodeName name = NodeName.parse(first);
            if (name == null || !others().contains(first) || name.share().weight() == 1) {
                return false;
            }
            folder.substitute(first, name.withShare(lower(name.share())).text());
            return true;
        }

        private boolean nodeDeleted() {
            List<String> own = folder.names().stream()
                    .filter(name -> !others().contains(name))
                    .toList();
            return !own.isEmpty() && folder.delete(own.get(random.nextInt(own.size())));
        }

        /** A client that believes in its share has room for it, if its node is there. */
        void check() {
            for (Contender contender : contenders) {
                if (contender != null && contender.believes() && folder.names().contains(contender.name())) {
                    assertThat(entitled(contender.name()))
                            .as("%s has room", contender)
                            .isTrue();
                }
            }
        }

        boolean entitled(String own) {
            NodeName name = requireNonNull(NodeName.parse(own));
            long before = folder.names().stream()
                    .map(NodeName::parse)
                    .filter(other -> other != null && other.sequence() <= name.sequence())
                    .mapToLong(other -> other.share().weight())
                    .sum();
            return before <= name.share().capacity();
        }

        void settle() {
            boolean again = true;
            while (again) {
                again = HANDLES.first().catchUp();
                while (HANDLES.first().serve() || HANDLES.first().deliver()) {
                    again = true;
                }
            }
        }

        void end() {
            settle();
            check();
            while (otherGoes()) {
                settle();
                check();
                told();
            }
            for (Contender contender : contenders) {
                if (contender != null
                        && contender.node.active()
                        && !folder.names().contains(contender.name())) {
                    contender.node.vanished(contender.node.path());
                }
            }
            settle();
            told();
            for (Contender contender : contenders) {
                if (contender != null) {
                    contender.leaveForGood();
                }
            }
            assertThat(folder.names()).as("nodes left").isEmpty();
            assertThat(session.watcher().isEmpty()).as("no watch is left").isTrue();
        }

        private void told() {
            for (Contender contender : contenders) {
                if (contender != null && contender.waits() && folder.names().contains(contender.name())) {
                    assertThat(entitled(contender.name()))
                            .as("%s waits although it has room", contender)
                            .isFalse();
                } else if (contender != null) {
                    contender.callUntilAnswered();
                }
            }
        }
    }

    private static Share lower(Share share) {
        return share.equals(Share.WRITE) ? Share.READ : new Share(share.weight() - 1, share.capacity());
    }

    /** Acts like the engine: asks, waits for a signal, gives back, leaves. */
    private static final class Contender {
        private final World world;
        private final LockNode node;
        private Share share;
        private @Nullable CompletableFuture<EntryResult> asked;
        private @Nullable CompletableFuture<Released> released;
        private boolean woken;
        private boolean lost;

        Contender(World world, HolderId holder, Share share) {
            this.world = world;
            this.share = share;
            Claim claim = Claim.renewedLease(FOLDER.lock(), holder, Duration.ofMinutes(1), true)
                    .withShare(share);
            node = new LockNode(FOLDER, claim, world.session, () -> world.session);
            node.listen(this::signalled);
        }

        private void signalled(Signal signal) {
            woken |= signal == Signal.MAYBE_FREE;
            lost |= signal == Signal.LOST;
        }

        String name() {
            return CreatedNode.nameOf(node.path());
        }

        private @Nullable EntryResult result() {
            return asked == null || !asked.isDone() || asked.isCompletedExceptionally() ? null : asked.join();
        }

        boolean over() {
            return released != null && released.isDone() && !released.isCompletedExceptionally();
        }

        boolean believes() {
            return released == null && !lost && result() == EntryResult.HELD;
        }

        boolean waits() {
            return released == null && !woken && result() == EntryResult.WAITING;
        }

        boolean call() {
            boolean unanswered = asked != null && !asked.isDone();
            if (released != null
                    || unanswered
                    || waits()
                    || result() == EntryResult.HELD
                    || result() == EntryResult.GONE) {
                return false;
            }
            woken = false;
            asked = node.attempt();
            return true;
        }

        void callUntilAnswered() {
            for (int i = 0; i < 5 && call(); i++) {
                world.settle();
                world.check();
            }
            if (waits() && world.folder.names().contains(name())) {
                assertThat(world.entitled(name()))
                        .as("%s waits although it has room", this)
                        .isFalse();
            }
        }

        boolean giveBack() {
            NodeLowering lowering = requireNonNull(node.lowering());
            if (!believes() || share.weight() == 1) {
                return false;
            }
            share = lower(share);
            CompletableFuture<Code> lowered = lowering.confirm(share);
            lowered.thenAccept(code -> lost |= code == Code.NONODE);
            return true;
        }

        boolean leave() {
            if (released != null && !released.isCompletedExceptionally()) {
                return false;
            }
            released = node.removal().attempt();
            return true;
        }

        void leaveForGood() {
            while (!over()) {
                leave();
                world.settle();
            }
        }

        @Override
        public String toString() {
            return name() + " " + node.state() + " " + asked;
        }
    }
}
