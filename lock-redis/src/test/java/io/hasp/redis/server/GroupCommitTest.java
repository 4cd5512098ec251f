package io.hasp.redis.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.redis.script.ErrorReplyException;
import io.hasp.redis.server.GroupCommit.Replies;
import io.hasp.redis.server.RedisConnection.Acknowledged;
import io.hasp.redis.server.RedisConnection.Evaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private final List<List<Evaluation>> sent = new ArrayList<>();
    private final List<CompletableFuture<Replies>> answers = new ArrayList<>();
    private final GroupCommit waits = new GroupCommit(this::send);
    private boolean broken;

    private CompletionStage<Replies> send(List<Evaluation> calls) {
        if (broken) {
            throw new OutOfMemoryError("injected");
        }
        sent.add(calls);
        answers.add(new CompletableFuture<>());
        return answers.get(answers.size() - 1);
    }

    private CompletableFuture<Acknowledged> ask(String key) {
        return waits.evaluate(new Evaluation("sha", List.of(key), List.of(), false))
                .toCompletableFuture();
    }

    private static CompletableFuture<String> reply(String text) {
        return CompletableFuture.completedFuture(text);
    }

    @Test
    void calls_that_come_while_one_waits_are_sent_together() {
        CompletableFuture<Acknowledged> a = ask("a");
        CompletableFuture<Acknowledged> b = ask("b");
        CompletableFuture<Acknowledged> c = ask("c");
        assertThat(sent).hasSize(1);
        answers.get(0).complete(new Replies(List.of(reply("1")), 1));
        assertThat(a.join()).isEqualTo(new Acknowledged("1", 1));
        assertThat(sent).hasSize(2);
        assertThat(sent.get(1)).extracting(call -> call.keys().get(0)).containsExactly("b", "c");
        answers.get(1).complete(new Replies(List.of(reply("1"), reply("0")), 2));
        assertThat(b.join()).isEqualTo(new Acknowledged("1", 2));
        assertThat(c.join()).isEqualTo(new Acknowledged("0", 2));
    }

    @Test
    void an_error_of_one_call_is_none_of_the_others() {
        ask("first");
        CompletableFuture<Acknowledged> a = ask("a");
        CompletableFuture<Acknowledged> b = ask("b");
        answers.get(0).completeExceptionally(new IllegalStateException("of the first"));
        answers.get(1)
                .complete(new Replies(
                        List.of(CompletableFuture.failedFuture(new ErrorReplyException("MOVED 1 h:1")), reply("1")),
                        1));
        assertThat(a).isCompletedExceptionally();
        assertThat(b.join()).isEqualTo(new Acknowledged("1", 1));
    }

    @Test
    void what_can_not_be_sent_keeps_nobody_behind_it_waiting() {
        broken = true;
        assertThat(ask("a")).isCompletedExceptionally();
        broken = false;
        CompletableFuture<Acknowledged> b = ask("b");
        answers.get(0).complete(new Replies(List.of(reply("1")), 0));
        assertThat(b.join()).isEqualTo(new Acknowledged("1", 0));
    }
}
