package io.hasp.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.conformance.Tier;
import io.hasp.spi.BackendFailure;
import io.hasp.spi.Timing;
import io.hasp.zookeeper.session.NodeOperation.Answer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** The combiner against a server whose answers the test gives one by one. */
class TransactionCombinerTest {
    private static final int OK = Code.OK.intValue();
    private static final int NO_NODE = Code.NONODE.intValue();
    private static final int LOST = Code.CONNECTIONLOSS.intValue();

    /** A request or transaction that was sent: its paths, and the consumer of its answer. */
    private record Sent(List<String> paths, Consumer<Answer> then) {
        void answered() {
            then.accept(Answer.of(OK, List.of()));
        }

        void failed(int step, int code) {
            List<OpResult> results = new ArrayList<>();
            for (int i = 0; i < paths.size(); i++) {
                results.add(new OpResult.ErrorResult(
                        i < step ? OK : i == step ? code : Code.RUNTIMEINCONSISTENCY.intValue()));
            }
            then.accept(Answer.of(code, paths.size() == 1 ? null : results));
        }

        void lost() {
            then.accept(Answer.of(LOST, null));
        }
    }

    private final Queue<Sent> sent = new ArrayDeque<>();
    private final Queue<Runnable> timers = new ArrayDeque<>();
    private final List<String> answers = new ArrayList<>();
    private final List<String> behind = new ArrayList<>();
    private final Set<String> unwanted = new HashSet<>();
    private final List<Throwable> causes = new ArrayList<>();
    private boolean broken;
    private boolean brokenAfterwards;
    private boolean timersBroken;

    private final TransactionCombiner combiner = new TransactionCombiner(
            new Timing() {
                @Override
                public long nanoTime() {
                    return 0;
                }

                @Override
                public Timer schedule(Duration delay, Runnable task) {
                    if (timersBroken) {
                        throw new LinkageError("planted");
                    }
                    timers.add(task);
                    return () -> {};
                }
            },
            (steps, then) -> {
                if (broken) {
                    throw new LinkageError("planted");
                }
                checkFolders(steps);
                sent.add(new Sent(steps.stream().map(Op::getPath).toList(), then));
                if (brokenAfterwards) {
                    throw new LinkageError("planted");
                }
            });

    /** Two creations would have the same token, and a deletion behind a creation would end another node than the client thinks. */
    private static void checkFolders(List<Op> steps) {
        Set<String> created = new HashSet<>();
        for (Op step : steps) {
            String folder = folderOf(step.getPath());
            assertThat(created).doesNotContain(folder);
            if (step.getType() != ZooDefs.OpCode.delete) {
                created.add(folder);
            }
        }
    }

    private static String folderOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private void delete(String path) {
        submit(path, List.of(Op.delete(path, -1)), false);
    }

    private void create(String path) {
        submit(path, List.of(creation(path)), true);
    }

    /** A transfer: deletes a node of the same folder first. */
    private void replace(String path) {
        submit(path, List.of(Op.delete(folderOf(path) + "/old", -1), creation(path)), true);
    }

    private static Op creation(String path) {
        return Op.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    private void submit(String path, List<Op> steps, boolean creates) {
        combiner.submit(new NodeOperation(
                creates ? folderOf(path) : null,
                steps,
                path.length(),
                then -> sent.add(new Sent(steps.stream().map(Op::getPath).toList(), then)),
                new NodeRequests.Behind() {
                    @Override
                    public void send() {
                        behind.add(path);
                    }

                    @Override
                    public boolean wanted() {
                        return !unwanted.contains(path);
                    }
                },
                answer -> {
                    answers.add(path + " " + answer.code());
                    BackendFailure failure = answer.failure();
                    if (failure != null) {
                        assertThat(failure.outcome()).isEqualTo(BackendFailure.Outcome.UNKNOWN);
                        causes.add(failure.getCause());
                    }
                }));
    }

    /** Fills the places with requests, and returns them. */
    private List<Sent> occupy() {
        List<Sent> occupied = new ArrayList<>();
        for (int i = 0; i < TransactionCombiner.PLACES; i++) {
            delete("/occupied/" + i);
            occupied.add(next());
        }
        return occupied;
    }

    private Sent next() {
        Sent next = sent.remove();
        assertThat(sent.size()).isZero();
        return next;
    }

    @Test
    void an_operation_that_finds_a_place_is_a_request_of_its_own() {
        create("/a/x-");

        assertThat(next().paths()).containsExactly("/a/x-");
        assertThat(behind).containsExactly("/a/x-");
    }

    @Test
    void operations_that_find_no_place_go_together_with_the_next_answer_deletions_first() {
        List<Sent> occupied = occupy();
        create("/a/x-");
        delete("/b/x-1");
        create("/c/x-");
        assertThat(sent).isEmpty();
        behind.clear();

        occupied.get(0).answered();

        Sent together = next();
        assertThat(together.paths()).containsExactly("/b/x-1", "/a/x-", "/c/x-");
        assertThat(behind).containsExactlyInAnyOrder("/a/x-", "/b/x-1", "/c/x-");
        answers.clear();
        together.answered();
        assertThat(answers).containsExactly("/b/x-1 OK", "/a/x- OK", "/c/x- OK");
    }

    @Test
    void a_single_one_of_them_is_a_request() {
        List<Sent> occupied = occupy();
        delete("/b/x-1");
        broken = true;

        occupied.get(0).answered();

        assertThat(next().paths()).containsExactly("/b/x-1");
    }

    @Test
    void a_second_transaction_goes_beside_the_first_one_when_it_is_as_large() {
        List<Sent> occupied = occupy();
        delete("/a/1");
        delete("/b/1");
        occupied.get(0).answered();
        Sent first = next();
        occupied.get(1).answered();

        delete("/c/1");
        assertThat(sent).as("a smaller one").isEmpty();
        create("/d/x-");

        assertThat(next().paths()).containsExactly("/c/1", "/d/x-");
        delete("/e/1");
        first.answered();
        assertThat(sent).isEmpty();
    }

    @Test
    void a_transaction_creates_one_node_in_a_folder_which_would_share_its_token() {
        List<Sent> occupied = occupy();
        create("/a/x-");
        create("/a/y-");
        create("/b/x-");
        delete("/a/x-1");

        occupied.get(0).answered();

        assertThat(sent).extracting(Sent::paths).containsExactly(List.of("/a/x-1", "/a/x-", "/b/x-"), List.of("/a/y-"));
    }

    /** Otherwise each waiter of one lock would be one round trip behind the waiter before it. */
    @Test
    void creations_in_one_folder_do_not_wait_for_each_other() {
        List<Sent> occupied = occupy();
        for (int i = 0; i < 20; i++) {
            create("/a/x-" + i + "-");
            create("/b/x-" + i + "-");
        }

        occupied.get(0).answered();

        assertThat(sent)
                .extracting(Sent::paths)
                .hasSize(20)
                .allSatisfy(paths -> assertThat(paths).hasSize(2));
    }

    @Test
    void a_transaction_is_far_below_what_servers_accept() {
        List<Sent> occupied = occupy();
        for (int i = 0; i < TransactionCombiner.MOST_STEPS + 1; i++) {
            delete("/a/x-" + i);
        }
        occupied.get(0).answered();
        Sent first = next();
        assertThat(first.paths()).hasSize(TransactionCombiner.MOST_STEPS);
        first.answered();
        Sent last = next();
        assertThat(last.paths()).hasSize(1);
        last.answered();

        String path = "/a/" + "x".repeat(TransactionCombiner.MOST_BYTES / 2);
        occupy();
        for (int i = 0; i < 3; i++) {
            delete(path);
        }
        timers.remove().run();
        timers.remove().run();
        assertThat(next().paths()).hasSize(2);
    }

    @Test
    void an_operation_that_fails_is_answered_and_the_others_are_sent_again_at_once() {
        Sent together = collected("/a/1", "/b/1", "/c/1", "/d/1", "/e/1");

        together.failed(2, NO_NODE);

        assertThat(answers).containsExactly("/c/1 NONODE");
        List<Sent> again = List.copyOf(sent);
        assertThat(again).extracting(Sent::paths).containsExactly(List.of("/a/1", "/b/1"), List.of("/d/1", "/e/1"));
        assertThat(behind).containsExactlyInAnyOrder("/a/1", "/b/1", "/d/1", "/e/1");
        again.forEach(Sent::answered);
        assertThat(answers).containsExactly("/c/1 NONODE", "/a/1 OK", "/b/1 OK", "/d/1 OK", "/e/1 OK");
    }

    @Test
    void an_operation_whose_transaction_failed_twice_goes_alone() {
        Sent together = collected("/a/1", "/b/1", "/c/1", "/d/1");
        together.failed(0, NO_NODE);
        Sent again = next();
        assertThat(again.paths()).containsExactly("/b/1", "/c/1", "/d/1");

        again.failed(0, NO_NODE);

        assertThat(sent).extracting(Sent::paths).containsExactly(List.of("/c/1"), List.of("/d/1"));
        sent.forEach(each -> each.failed(0, NO_NODE));
        assertThat(answers).containsExactly("/a/1 NONODE", "/b/1 NONODE", "/c/1 NONODE", "/d/1 NONODE");
    }

    @Test
    void an_ambiguous_end_is_ambiguous_for_each_operation() {
        collected("/a/1", "/b/1").lost();

        assertThat(answers).containsExactly("/a/1 CONNECTIONLOSS", "/b/1 CONNECTIONLOSS");
        assertThat(sent).isEmpty();
    }

    @Test
    void an_operation_that_its_call_gave_up_is_not_sent_again() {
        Sent together = collected("/a/1", "/b/1", "/c/1");
        unwanted.add("/a/1");

        together.failed(1, NO_NODE);

        assertThat(next().paths()).containsExactly("/c/1");
        assertThat(answers).containsExactly("/a/1 RUNTIMEINCONSISTENCY", "/b/1 NONODE");
    }

    @Test
    void a_silent_server_holds_no_operation_up_for_long() {
        occupy();
        delete("/a/1");
        delete("/b/1");

        timers.remove().run();
        assertThat(next().paths()).containsExactly("/a/1", "/b/1");
        assertThat(timers).isEmpty();

        delete("/c/1");
        assertThat(sent).isEmpty();
        timers.remove().run();
        assertThat(next().paths()).containsExactly("/c/1");
    }

    @Test
    void a_lost_answer_keeps_its_place_until_the_next_one() {
        List<Sent> occupied = occupy();

        occupied.get(TransactionCombiner.PLACES - 1).answered();
        for (int i = 0; i < TransactionCombiner.PLACES; i++) {
            delete("/a/" + i);
        }

        assertThat(sent).as("sent at once").hasSize(TransactionCombiner.PLACES);
    }

    @Test
    void an_error_while_a_transaction_is_sent_leaves_its_operations_with_an_unknown_outcome() {
        List<Sent> occupied = occupy();
        delete("/a/1");
        delete("/b/1");
        broken = true;

        occupied.get(0).answered();

        assertThat(answers).contains("/a/1 SYSTEMERROR", "/b/1 SYSTEMERROR", "/occupied/0 OK");
        assertThat(causes).hasSize(2).hasOnlyElementsOfType(LinkageError.class);
    }

    @Test
    void an_error_after_a_transaction_was_sent_leaves_its_operations_with_an_unknown_outcome() {
        List<Sent> occupied = occupy();
        delete("/a/1");
        create("/b/x-");
        brokenAfterwards = true;
        occupied.get(0).answered();
        answers.clear();

        next().answered();

        assertThat(answers).as("answered once").isEmpty();
        assertThat(causes).hasSize(2).hasOnlyElementsOfType(LinkageError.class);
        brokenAfterwards = false;
        delete("/c/1");
        assertThat(next().paths()).containsExactly("/c/1");
    }

    @Test
    void an_error_while_operations_are_sent_again_leaves_none_without_an_answer() {
        Sent together = collected("/a/1", "/b/1", "/c/1", "/d/1", "/e/1");
        broken = true;

        together.failed(2, NO_NODE);

        assertThat(answers)
                .containsExactlyInAnyOrder(
                        "/a/1 SYSTEMERROR", "/b/1 SYSTEMERROR", "/c/1 NONODE", "/d/1 SYSTEMERROR", "/e/1 SYSTEMERROR");
        assertThat(causes).hasSize(4);
    }

    /** Its caller looks for the node at once: a creation that is sent later would stay. */
    @Test
    void an_operation_whose_call_an_error_ends_is_not_sent_later() {
        List<Sent> occupied = occupy();
        timersBroken = true;
        assertThatThrownBy(() -> create("/a/x-")).isInstanceOf(LinkageError.class);
        timersBroken = false;

        occupied.get(0).answered();
        assertThat(sent).isEmpty();

        delete("/b/1");
        delete("/c/1");
        assertThat(timers).as("the next one gets its timer").isNotEmpty();
    }

    /** Any answers in any order: each operation gets one, and it is its own. */
    @Test
    void each_operation_gets_one_answer_whatever_happens_to_the_others() {
        for (int seed = 0; seed < Tier.count(200, 20_000); seed++) {
            Random random = new Random(seed);
            Map<String, Code> expected = new HashMap<>();
            answers.clear();
            for (int i = 0; i < 60 || !sent.isEmpty() || !timers.isEmpty(); i++) {
                if (i < 60) {
                    String path = "/" + random.nextInt(8) + "/" + (random.nextInt(5) == 0 ? "gone" : "there") + i;
                    switch (random.nextInt(5)) {
                        case 0 -> replace(path);
                        case 1, 2 -> create(path);
                        default -> delete(path);
                    }
                    expected.put(path, path.contains("gone") ? Code.NONODE : Code.OK);
                }
                if (random.nextInt(4) == 0 || i > 60) {
                    answerOne(random, expected);
                }
            }
            assertThat(answers)
                    .as("seed %s", seed)
                    .containsExactlyInAnyOrderElementsOf(expected.entrySet().stream()
                            .map(each -> each.getKey() + " " + each.getValue())
                            .toList());
        }
    }

    private void answerOne(Random random, Map<String, Code> expected) {
        if (sent.isEmpty() || random.nextInt(6) == 0) {
            Runnable timer = timers.poll();
            if (timer != null) {
                timer.run();
            }
            return;
        }
        Sent first = sent.remove();
        int gone = -1;
        for (int i = 0; i < first.paths().size() && gone < 0; i++) {
            gone = first.paths().get(i).contains("gone") ? i : -1;
        }
        if (random.nextInt(20) == 0) {
            first.paths().stream()
                    .filter(expected::containsKey)
                    .forEach(path -> expected.put(path, Code.CONNECTIONLOSS));
            first.lost();
        } else if (gone >= 0) {
            first.failed(gone, NO_NODE);
        } else {
            first.answered();
        }
    }

    /** A transaction of deletions. */
    private Sent collected(String... paths) {
        List<Sent> occupied = occupy();
        for (String path : paths) {
            delete(path);
        }
        occupied.get(0).answered();
        answers.clear();
        behind.clear();
        return next();
    }
}
