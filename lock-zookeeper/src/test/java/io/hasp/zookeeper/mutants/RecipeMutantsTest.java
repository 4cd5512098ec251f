package io.hasp.zookeeper.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.conformance.InTier;
import io.hasp.conformance.Tier;
import io.hasp.conformance.servers.ServerException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ways to get the recipes for shared, kept and watched locks wrong. Each makes the test fail that is meant for it. The standard tier tries some of
 * them.
 */
@InTier(Tier.STANDARD)
class RecipeMutantsTest {
    private static final Set<String> STANDARD = Set.of(
            "a reader joins although a writer queued since",
            "kept: no watch is set",
            "kept: the listing says nothing",
            "shared: a newcomer that fits passes those who wait",
            "watched: a gap in the numbers is ignored",
            "watched: the children stay known on another connection");

    private static final List<RecipeMutant> SHARED = List.of(
            new RecipeMutant(
                    "shared: a newcomer that fits passes those who wait",
                    "layout/EarlierNodes",
                    "sum += weight(node);",
                    "sum += node.share().equals(Share.WRITE) ? 0 : weight(node);",
                    "SharedLocksTest",
                    "a_reader_does_not_pass_a_waiting_writer"),
            new RecipeMutant(
                    "shared: too few nodes are watched",
                    "layout/EarlierNodes",
                    "if (leavesNoRoom(taken - asked.capacity()) || watched.size() == MOST_WATCHED) {",
                    "if (!watched.isEmpty()) {",
                    "SharedWatchesTest",
                    "a_waiter_for_one_permit_watches_as_many_nodes_as_there_are_permits_and_wakes_when_any_leaves"),
            new RecipeMutant(
                    "shared: the deletion of a node is taken for the end of its holder",
                    "layout/EarlierNodes",
                    "left -= weight(node) - mostAfterDeletion(node);",
                    "left -= weight(node);",
                    "LoweringTest",
                    "a_writer_behind_one_that_becomes_a_reader_goes_on_waiting"),
            new RecipeMutant(
                    "shared: the own node is not watched, and nobody lists",
                    "recipe/EarlierNodesWatch",
                    "return ownState == State.SET\n                && changes",
                    "return changes",
                    "SharedLocksTest",
                    "le6_a_waiter_whose_node_is_deleted_without_a_watch_on_it_is_not_granted"),
            new RecipeMutant(
                    "shared: another kind is not refused",
                    "layout/SharedOrder",
                    "if (capacity != share.capacity()) {",
                    "if (capacity == 0) {",
                    "KindsTest",
                    "a_name_in_use_as_one_kind_is_refused_as_another_and_goes_on"),
            new RecipeMutant(
                    "shared: a renewal raises the weight again",
                    "recipe/NodeLowering",
                    "if (share.weight() >= now.share().weight()) {",
                    "if (share.weight() == now.share().weight()) {",
                    "LoweringTest",
                    "neither_a_renewal_nor_a_repeated_attempt_raises"),
            new RecipeMutant(
                    "a reader joins although a writer queued since",
                    "readers/ReadListing",
                    "return SharedOrder.onlyReadersSince(children, node.name());",
                    "return children.contains(node.name().text());",
                    "readers.ReadNodeTest",
                    "rw3_a_reader_does_not_join_those_before_a_queued_writer"),
            new RecipeMutant(
                    "a reader joins although its server may lag",
                    "readers/ReadListing",
                    "if (synced != Code.OK) {",
                    "if (synced == Code.SESSIONEXPIRED) {",
                    "readers.ReadNodesTest",
                    "a_listing_whose_sync_is_lost_lets_nobody_in"),
            new RecipeMutant(
                    "a reader joins below a raised floor",
                    "layout/SharedOrder",
                    "                && TokenFloorNode.parseAll(children).stream().allMatch(floor -> floor.sequence() < own.sequence());",
                    ";",
                    "readers.ReadNodeTest",
                    "fe7_a_reader_does_not_join_those_before_a_raised_token_floor"),
            new RecipeMutant(
                    "a reader's node stays if the transaction that replaces it fails",
                    "readers/ReadNode",
                    "entry.whenComplete((result, failure) -> all.remove(left.node));",
                    "",
                    "readers.ReadNodeEndsTest",
                    "a_node_is_removed_although_the_transaction_that_replaces_it_was_lost"));

    private static final List<RecipeMutant> KEPT = List.of(
            new RecipeMutant(
                    "kept: no watch is set",
                    "recipe/EntryListing",
                    "attempt.recallable(),",
                    "false,",
                    "RecallTest",
                    "a_waiter_recalls"),
            new RecipeMutant(
                    "kept: the listing says nothing",
                    "recipe/RecallWatch",
                    "\n                && !NodeOrder.anyBehind(children, mine)",
                    "",
                    "RecallTest",
                    "a_grant_that_leaves_others_behind_is_not_recallable"),
            new RecipeMutant(
                    "kept: a younger floor does not recall",
                    "recipe/RecallWatch",
                    "\n                && !TokenFloorNode.anyAfter(own, children);",
                    ";",
                    "RecallTest",
                    "a_grant_that_is_older_than_a_floor_is_not_recallable"),
            new RecipeMutant(
                    "kept: the name does not say so",
                    "layout/NodeName",
                    "return keeps ? KEEPS + holder.value() : holder.value();",
                    "return holder.value();",
                    "RecallTest",
                    "a_zero_wait_recalls_and_is_told_to_ask_again_at_once"),
            new RecipeMutant(
                    "kept: a zero wait looks at its predecessor only",
                    "recipe/NodeWait",
                    "behindKeepers = behind.allKeep();",
                    "behindKeepers = NodeName.keeps(behind.predecessor());",
                    "RecallTest",
                    "a_zero_wait_behind_others_that_keep_or_try_is_recalled_and_behind_any_other_is_not"),
            new RecipeMutant(
                    "kept: a zero wait behind other zero waits is told busy",
                    "recipe/NodeWait",
                    "behindKeepers = behind.allKeep();",
                    "behindKeepers = behind.allKeep() && behind.onlyOneBefore();",
                    "RecallTest",
                    "a_zero_wait_behind_others_that_keep_or_try_is_recalled_and_behind_any_other_is_not"),
            new RecipeMutant(
                    "kept: a waiter does not watch its own node",
                    "recipe/NodeWait",
                    "node.queues() && NodeName.keeps(behind.predecessor()));",
                    "false);",
                    "RecalledNodeTest",
                    "a_waiter_behind_one_that_may_keep_learns_at_once_that_its_own_node_was_deleted"),
            new RecipeMutant(
                    "kept: a grant whose watch nobody sets again counts as recallable",
                    "session/Session",
                    "        return connected() && !handle.getClientConfig().getBoolean(ZKClientConfig.DISABLE_AUTO_WATCH_RESET);",
                    "        return connected() || handle.getClientConfig().getBoolean(ZKClientConfig.DISABLE_AUTO_WATCH_RESET);",
                    "RecallAfterReconnectionTest",
                    "a_client_library_that_sets_no_watch_again_hears_nothing"),
            new RecipeMutant(
                    "kept: a renewal that no longer keeps is no answer to a floor",
                    "recipe/RecallWatch",
                    "return !marked && (!claim.keeps() || !everLive);",
                    "return false;",
                    "KeptFloorTest",
                    "a_renewal_that_no_longer_keeps_is_an_answer"));

    private static final List<RecipeMutant> WATCHED = List.of(
            new RecipeMutant(
                    "watched: a gap in the numbers is ignored",
                    "layout/WatchedFolder",
                    "boolean fits = number < 0 || number == next;",
                    "boolean fits = true;",
                    "HandOffWatchTest",
                    "me2_a_node_that_the_client_may_not_read_keeps_it_out"),
            new RecipeMutant(
                    "watched: the children stay known on another connection",
                    "session/FolderWatch",
                    "connection++;\n            children.forget();",
                    "connection++;",
                    "session.FolderWatchTest",
                    "me2_the_nodes_before_a_node_are_those_of_the_folder"),
            new RecipeMutant(
                    "watched: a listing from an earlier connection counts",
                    "session/FolderWatch",
                    "&& sentOn == connection) {",
                    ") {",
                    "session.FolderWatchTest",
                    "me2_a_listing_from_an_earlier_connection_shows_nothing"),
            new RecipeMutant(
                    "watched: a listing that was sent before the watch counts",
                    "session/FolderWatch",
                    "private int connection = NOT_ASKED;",
                    "private int connection;",
                    "session.FolderWatchTest",
                    "me2_a_listing_that_was_sent_before_the_watch_shows_nothing"),
            new RecipeMutant(
                    "watched: a node that no event will report is waited for",
                    "layout/WatchedFolder",
                    "theirs < mine && !seen.contains(child)",
                    "theirs < mine && false",
                    "session.FolderWatchTest",
                    "me2_the_nodes_before_a_node_are_those_of_the_folder"),
            new RecipeMutant(
                    "watched: any deletion is taken for the turn",
                    "recipe/FolderWait",
                    "return NodeOrder.position(children, own()) instanceof NodeOrder.Position.First;",
                    "return true;",
                    "HandOffWatchTest",
                    "a_waiter_whose_predecessor_leaves_waits_for_the_one_before"),
            new RecipeMutant(
                    "watched: a proof outlasts the node",
                    "recipe/FolderWait",
                    "return children != null && isFirst(children);",
                    "return shown != null;",
                    "HandOffWatchTest",
                    "le6_a_waiter_whose_node_an_administrator_deletes_after_its_signal_is_not_granted"),
            new RecipeMutant(
                    "watched: a crowd keeps its watches",
                    "session/FolderWatches",
                    "removed = watch.crowdedWithoutUse() &&",
                    "removed = false &&",
                    "HandOffWatchTest",
                    "a_crowded_folder_is_not_watched"),
            new RecipeMutant(
                    "watched: a watch that is not used stays",
                    "session/FolderWatch",
                    "if (listeners.isEmpty() && usedAt - moment < 0) {",
                    "if (false) {",
                    "HandOffWatchTest",
                    "a_watch_that_is_not_used_is_removed"));

    private static Stream<RecipeMutant> all() {
        return Stream.of(SHARED, KEPT, WATCHED).flatMap(List::stream);
    }

    static List<RecipeMutant> mutants() {
        String only = System.getProperty("hasp.mutant");
        return all().filter(mutant -> only != null
                        ? mutant.name().contains(only)
                        : Tier.includes(Tier.FULL) || STANDARD.contains(mutant.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    @DisplayName("is found")
    void is_found(RecipeMutant mutant) throws Exception {
        Throwable failure = mutant.failure();
        System.out.println("mutant '" + mutant + "': "
                + (failure == null
                        ? "not found"
                        : String.valueOf(failure.getMessage())
                                .strip()
                                .lines()
                                .findFirst()
                                .orElse("")));
        assertThat(failure).as(mutant.name()).isNotNull().isNotInstanceOf(ServerException.class);
    }

    /** The standard tier notices a change of the recipe after which a mutant's text is not found, too. */
    @Test
    void each_mutant_applies_to_the_present_recipe() {
        assertThat(all())
                .allSatisfy(mutant -> assertThat(mutant.mutant().source()).contains(mutant.replacement()));
    }
}
