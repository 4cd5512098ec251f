package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.zookeeper.layout.NodeOrder;
import io.hasp.zookeeper.session.LastDeletedNodes.DeletedNode;
import org.junit.jupiter.api.Test;

/** New nodes that directly follow the last one, and the last nodes that a session remembers. */
class LastDeletedNodesTest {

    @Test
    void a_node_with_the_next_number_and_a_near_transaction_directly_follows() {
        DeletedNode last = lastNode(9, 1_000);

        assertThat(last.directlyPrecedes(10, 1_002)).isTrue();
        assertThat(last.directlyPrecedes(10, 1_010)).isTrue();
    }

    @Test
    void a_node_with_another_number_does_not_directly_follow() {
        DeletedNode last = lastNode(9, 1_000);

        assertThat(last.directlyPrecedes(11, 1_003))
                .as("another node was created in between")
                .isFalse();
        assertThat(last.directlyPrecedes(9, 1_002)).as("the same number again").isFalse();
    }

    @Test
    void me2_a_node_so_many_transactions_later_that_the_folder_may_be_another_one_does_not_directly_follow() {
        DeletedNode last = lastNode(9, 1_000);

        assertThat(last.directlyPrecedes(10, 1_011))
                .as("almost enough for a new folder to count as far")
                .isFalse();
        assertThat(last.directlyPrecedes(10, 1_014))
                .as("enough for a new folder to count as far")
                .isFalse();
    }

    @Test
    void a_node_without_a_later_transaction_does_not_directly_follow() {
        DeletedNode last = lastNode(9, 1_000);

        assertThat(last.directlyPrecedes(10, 999))
                .as("a server that was set back")
                .isFalse();
        assertThat(last.directlyPrecedes(10, 0))
                .as("an old server that does not tell the transaction")
                .isFalse();
    }

    @Test
    void no_node_directly_follows_where_the_sequence_ends() {
        DeletedNode last = new DeletedNode(NodeOrder.LAST_SEQUENCE - 1, 1_000, 0, true);

        assertThat(last.directlyPrecedes(NodeOrder.LAST_SEQUENCE, 1_002)).isFalse();
    }

    @Test
    void the_last_nodes_of_the_folders_used_lately_are_remembered() {
        LastDeletedNodes lastDeletedNodes = new LastDeletedNodes();
        DeletedNode last = new DeletedNode(5, 100, 0, true);
        CreatedNode next = new CreatedNode("/x/x-me-0000000006", 102);

        for (int i = 0; i <= LastDeletedNodes.MAX_FOLDERS; i++) {
            lastDeletedNodes.remember(folder(i), last);
        }

        assertThat(lastDeletedNodes.listingUnlikely(folder(0))).isFalse();
        assertThat(lastDeletedNodes.takePredecessorOf(next, folder(0))).isNull();
        assertThat(lastDeletedNodes.listingUnlikely(folder(1))).isTrue();
        assertThat(lastDeletedNodes.takePredecessorOf(next, folder(1))).isEqualTo(last);
    }

    @Test
    void a_last_node_is_forgotten_once_it_was_used_or_its_folder_is_gone() {
        LastDeletedNodes lastDeletedNodes = new LastDeletedNodes();
        DeletedNode last = new DeletedNode(5, 100, 0, true);
        lastDeletedNodes.remember(folder(1), last);
        lastDeletedNodes.remember(folder(2), last);

        assertThat(lastDeletedNodes.takePredecessorOf(new CreatedNode("/x/x-me-0000000006", 102), folder(1)))
                .isEqualTo(last);
        lastDeletedNodes.forget(folder(2));

        assertThat(lastDeletedNodes.listingUnlikely(folder(1))).as("used once").isFalse();
        assertThat(lastDeletedNodes.listingUnlikely(folder(2))).isFalse();
    }

    private static DeletedNode lastNode(long sequence, long czxid) {
        return new DeletedNode(sequence, czxid, 0, false);
    }

    private static String folder(int number) {
        return "/hasp/lock" + number;
    }
}
