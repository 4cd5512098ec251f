package io.hasp.zookeeper;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.spi.Attempt;
import io.hasp.spi.Grant;
import io.hasp.spi.Renewal;
import io.hasp.spi.Share;
import io.hasp.spi.Signal;
import io.hasp.zookeeper.layout.NodeName;
import io.hasp.zookeeper.recipe.LockNode;
import io.hasp.zookeeper.session.CreatedNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random calls at one lock, several at once, in four sessions: enter, leave, give up, give back, sessions that end, nodes that are
 * deleted. After each step, the members at the front of the queue hold that weigh at most the capacity together: a waiter among them is
 * notified without having asked, and no other member is granted. Readers of one client may share a node, but never a node before a writer
 * that queued before they came. Of an exclusive lock, every second client may keep it: a holder that can be recalled is notified when
 * another member is there.
 */
@InTier(Tier.STANDARD)
class RandomSharesTest extends TwoClientsFixture {
    private static final long SEED = Long.getLong("hasp.seed", 1);
    private static final int STEPS = Tier.count(400, 10_000);
    private static final int CLIENTS = 4;
    private static final int MOST_MEMBERS = 14;
    private static final int MOST_AT_ONCE = 4;

    /** One of so many calls is an accident: a session ends, or an administrator deletes a node. */
    private static final int ACCIDENTS = 30;

    @Test
    void readers_and_writers() throws Exception {
        run(random -> random.nextInt(3) == 0 ? Share.WRITE : Share.READ);
    }

    @Test
    void permits() throws Exception {
        run(random -> new Share(1 + random.nextInt(3), 5));
    }

    @Test
    void one_permit_each() throws Exception {
        run(random -> new Share(1, 4));
    }

    @Test
    void one_holder_that_may_keep_the_lock() throws Exception {
        run(random -> Share.EXCLUSIVE);
    }

    private void run(Shares shares) throws Exception {
        Run run = new Run(shares);
        try {
            for (int step = 0; step < STEPS; step++) {
                run.step();
            }
        } catch (AssertionError failure) {
            throw new AssertionError("with -Dhasp.seed=" + SEED + ": " + failure.getMessage(), failure);
        } finally {
            run.clients.forEach(Probe::close);
        }
    }

    private interface Shares {
        Share next(SplittableRandom random);
    }

    /** A holder or waiter. */
    private static final class Member {
        private final Probe client;
        private final Probe.Holder holder;
        private final long lastWriterBefore;
        private Share share;
        private @Nullable Grant grant;
        private boolean recallable;

        private Member(Probe client, Probe.Holder holder, long lastWriterBefore) {
            this.client = client;
            this.holder = holder;
            this.lastWriterBefore = lastWriterBefore;
            this.share = holder.claim.share();
        }

        private String node() {
            LockNode node = ((MultiSessionBackend) client.backend).nodeOf(holder.claim.holder());
            return node == null ? "none of " + holder.claim : CreatedNode.nameOf(node.path());
        }
    }

    private final class Run {
        private final SplittableRandom random = new SplittableRandom(SEED);
        private final Shares shares;
        private final List<Probe> clients = new ArrayList<>();
        private final Set<Member> members = new LinkedHashSet<>();
        private long lastWriter = -1;

        private Run(Shares shares) {
            this.shares = shares;
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(open());
            }
        }

        private void step() throws Exception {
            List<Member> untouched = new ArrayList<>(members);
            List<Runnable> answers = new ArrayList<>();
            for (int calls = 1 + random.nextInt(MOST_AT_ONCE); calls > 0; calls--) {
                Member member = untouched.isEmpty() ? null : untouched.remove(random.nextInt(untouched.size()));
                if (random.nextInt(ACCIDENTS) == 0) {
                    answers.forEach(Runnable::run);
                    answers.clear();
                    accident();
                    untouched.retainAll(members);
                } else if (member == null || (members.size() < MOST_MEMBERS && random.nextInt(2) == 0)) {
                    answers.add(enter());
                } else if (member.grant != null && member.share.weight() > 1 && random.nextInt(2) == 0) {
                    answers.add(giveBack(member, member.grant));
                } else {
                    answers.add(leave(member));
                }
            }
            answers.forEach(Runnable::run);
            settle();
        }

        private Runnable enter() {
            int index = random.nextInt(CLIENTS);
            Probe client = clients.get(index);
            Share share = shares.next(random);
            boolean keeps = share.isExclusive() && index % 2 == 1;
            Member member = new Member(client, keeps ? client.keeper(lock) : client.holder(lock, share), lastWriter);
            members.add(member);
            CompletionStage<Attempt> attempt = member.holder.start();
            return () -> granted(member, Probe.await(attempt));
        }

        private static void granted(Member member, Attempt answer) {
            if (answer instanceof Attempt.Granted granted) {
                member.grant = granted.grant();
                member.recallable = granted.recallable();
            }
        }

        private Runnable giveBack(Member member, Grant grant) {
            int less = member.share.equals(Share.WRITE) ? 1 : 1 + random.nextInt(member.share.weight() - 1);
            member.share = member.share.loweredTo(less);
            CompletionStage<List<Renewal>> renewals = member.client.backend.renew(
                    List.of(grant.withClaim(grant.claim().withShare(member.share))));
            return () -> assertThat(Probe.await(renewals)).singleElement().isInstanceOf(Renewal.Renewed.class);
        }

        private Runnable leave(Member member) {
            members.remove(member);
            CompletionStage<?> released = member.client.backend.release(member.holder.claim);
            return () -> Probe.await(released);
        }

        /** A session ends with all its nodes, or a node is deleted. */
        private void accident() throws Exception {
            List<NodeName> nodes = nodes();
            if (random.nextInt(2) == 0 || nodes.isEmpty()) {
                int crashing = random.nextInt(CLIENTS);
                Probe client = clients.set(crashing, open());
                client.close();
                members.removeIf(member -> member.client == client);
            } else {
                NodeName node = nodes.get(random.nextInt(nodes.size()));
                List<Member> on = membersOn(node);
                SERVER.admin().delete(lock, node.text());
                on.forEach(member -> leave(member).run());
            }
        }

        /** Compares the clients with what the nodes mean. */
        private void settle() throws Exception {
            List<NodeName> nodes = nodes();
            assertThat(nodes)
                    .extracting(NodeName::text)
                    .containsExactlyInAnyOrderElementsOf(
                            members.stream().map(Member::node).distinct().toList());
            long taken = 0;
            long token = 0;
            lastWriter = -1;
            for (NodeName node : nodes) {
                taken += node.share().weight();
                long next = 0;
                for (Member member : membersOn(node)) {
                    assertThat(node.share()).isEqualTo(member.share);
                    assertThat(nodes)
                            .as("writers that %s passed", node)
                            .noneMatch(other -> passed(member, node, other));
                    if (taken > node.share().capacity()) {
                        waits(member);
                    } else {
                        next = holds(member);
                        recalled(member, nodes.size() > 1);
                        assertThat(next).as("tokens in the order of the queue").isGreaterThan(token);
                    }
                }
                token = next;
                lastWriter = node.share().equals(Share.WRITE) ? node.sequence() : lastWriter;
            }
        }

        private static boolean passed(Member member, NodeName node, NodeName other) {
            return other.share().equals(Share.WRITE)
                    && other.sequence() > node.sequence()
                    && other.sequence() <= member.lastWriterBefore;
        }

        private List<Member> membersOn(NodeName node) {
            return members.stream()
                    .filter(member -> member.node().equals(node.text()))
                    .toList();
        }

        private void waits(Member member) {
            assertThat(member.grant).as("grant beyond the capacity").isNull();
            if (random.nextInt(8) == 0) {
                assertThat(member.holder.attempt()).isInstanceOf(Attempt.Busy.class);
            }
        }

        private long holds(Member member) {
            while (member.grant == null) {
                member.holder.awaitSignal(Signal.MAYBE_FREE);
                granted(member, member.holder.attempt());
            }
            if (random.nextInt(16) == 0) {
                assertThat(member.holder.granted().token()).isEqualTo(member.grant.token());
            }
            return member.grant.token();
        }

        /** A recall arrives once, if others are there; the engine decides what follows. */
        private void recalled(Member member, boolean wanted) {
            if (member.recallable && wanted) {
                member.holder.awaitSignal(Signal.WANTED);
                member.recallable = false;
            }
        }

        private List<NodeName> nodes() throws Exception {
            List<NodeName> nodes = new ArrayList<>();
            for (String child : SERVER.admin().children(lock)) {
                nodes.add(requireNonNull(NodeName.parse(child)));
            }
            nodes.sort(Comparator.comparingLong(NodeName::sequence));
            return nodes;
        }
    }
}
