package io.hasp.zookeeper.layout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.spi.HolderId;
import io.hasp.spi.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Holders and waiters as operators see them, compared with the positions by which clients decide. */
class LockQueueTest {
    private static final List<Share> SHARES = List.of(
            Share.EXCLUSIVE, Share.READ, Share.READ, Share.WRITE, new Share(1, 5), new Share(2, 5), new Share(5, 5));
    private static final int ROUNDS = 20_000;

    @Test
    void a_node_is_a_holder_exactly_if_its_own_client_takes_it_for_one() {
        Random random = new Random(58);
        int holders = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<String> children = children(random);
            LockQueue queue = LockQueue.of(children);
            List<NodeName> all = new ArrayList<>(queue.holders());
            all.addAll(queue.waiters());
            assertThat(all).isSortedAccordingTo((a, b) -> Long.compare(a.sequence(), b.sequence()));
            for (NodeName node : all) {
                assertThat(queue.holders().contains(node))
                        .as("%s among %s", node.text(), children)
                        .isEqualTo(holds(children, node));
            }
            if (!queue.isEmpty()) {
                assertThat(queue.capacity()).isEqualTo(SharedOrder.firstCapacity(children));
            }
            holders += queue.holders().size();
        }
        assertThat(holders).isGreaterThan(ROUNDS / 2);
    }

    private static boolean holds(List<String> children, NodeName node) {
        return node.share().isExclusive()
                ? NodeOrder.position(children, node.text()) instanceof NodeOrder.Position.First
                : SharedOrder.position(children, node) instanceof SharedOrder.Position.Entitled;
    }

    /** Of one kind mostly, with foreign nodes. */
    private static List<String> children(Random random) {
        Share kind = SHARES.get(random.nextInt(SHARES.size()));
        List<String> children = new ArrayList<>(List.of("readme", "floor-7-0000000001"));
        int sequence = random.nextInt(20) == 0 ? Integer.MAX_VALUE - 2 : 0;
        for (int i = random.nextInt(7); i > 0 && sequence < Integer.MAX_VALUE; i--) {
            sequence += 1 + random.nextInt(2);
            Share share = SHARES.get(random.nextInt(SHARES.size()));
            if (share.capacity() == kind.capacity() || random.nextInt(10) == 0) {
                boolean keeps = share.isExclusive() && random.nextBoolean();
                children.add(NodeName.prefix(new HolderId("a-" + i), share, keeps) + String.format("%010d", sequence));
            }
        }
        Collections.shuffle(children, random);
        return children;
    }

    @Test
    void a_name_has_its_holder() {
        assertThat(holder("x-client-1-0000000007")).isEqualTo("client-1");
        assertThat(holder("x-k-client-1-0000000007")).isEqualTo("client-1");
        assertThat(holder("s.5.2-client-1-r2-0000000007")).isEqualTo("client-1-r2");
    }

    private static String holder(String name) {
        return requireNonNull(NodeName.parse(name)).holder().value();
    }
}
